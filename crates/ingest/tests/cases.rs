//! What each rule makes of a resource: resources in, everything the record says out.

mod common;

use common::{dump, read};

#[test]
fn every_rule_makes_the_rows_it_should() {
    let mut faults = Vec::new();
    let mut count = 0;
    for case in include_str!("cases.txt").split("\n## ").skip(1) {
        count += 1;
        let (name, rest) = case.split_once('\n').unwrap_or((case, ""));
        let mut bundle = String::from(
            r#"{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Patient","id":"p"}}"#,
        );
        for resource in rest.lines().filter_map(|l| l.strip_prefix("> ")) {
            bundle.push_str(",{\"resource\":");
            bundle.push_str(resource);
            bundle.push('}');
        }
        bundle.push_str("]}");
        let expected: Vec<&str> = rest.lines().filter(|l| !l.is_empty() && !l.starts_with("> ")).collect();
        let (record, refusals) = read(&[("case.json", &bundle)]);
        assert!(refusals.is_empty(), "{name}: {refusals:?}");
        let lines = dump(&record.expect(name));
        for line in expected.iter().filter(|l| !lines.iter().any(|have| have == *l)) {
            faults.push(format!("{name}: missing  {line}"));
        }
        for line in lines.iter().filter(|l| !expected.contains(&l.as_str())) {
            faults.push(format!("{name}: unwanted {line}"));
        }
    }
    assert!(count > 40, "only {count} cases were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
