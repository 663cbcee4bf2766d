#!/usr/bin/env python3
"""Counts the events of FHIR JSON Bundles per kind, straight from the JSON.

Shares nothing with the Rust reader: the two are compared by a test. Prints one JSON object, file to {kind: count}.
Usage: count_events.py FILE...   (plain or .gz)
"""
import collections
import gzip
import json
import sys

VITALS = {
    "85353-1", "9279-1", "8867-4", "2708-6", "59408-5", "8310-5", "8302-2", "9843-4", "29463-7", "39156-5", "85354-9",
    "8480-6", "8462-4", "55284-4", "8306-3", "8331-1", "8287-5", "3141-9", "8478-0", "20564-1",
}
CATEGORY = {
    "laboratory": "lab", "vital-signs": "vital", "social-history": "finding", "survey": "finding", "exam": "finding",
    "imaging": "finding", "procedure": "finding", "therapy": "finding", "activity": "finding",
}
CODED = {  # type -> (kind, member that names the event)
    "Condition": ("condition", "code"),
    "Procedure": ("procedure", "code"),
    "AllergyIntolerance": ("allergy", "code"),
    "Immunization": ("immunization", "vaccineCode"),
    "ServiceRequest": ("service_order", "code"),
}
MEDICATION = {
    "MedicationRequest": "medication_order", "MedicationAdministration": "medication_given",
    "MedicationDispense": "medication_dispense", "MedicationStatement": "medication_statement",
}
ALWAYS = {"Encounter": "encounter", "EpisodeOfCare": "episode", "Specimen": "specimen", "DiagnosticReport": "report"}


def said(concept):
    """Whether a CodeableConcept says anything."""
    if not isinstance(concept, dict):
        return False
    codings = concept.get("coding") or []
    return bool((concept.get("text") or "").strip() or any(c.get("code") or c.get("display") for c in codings))


def observation_kind(row):
    codes = [c.get("code") for c in row.get("code", {}).get("coding", [])]
    words = [row.get("code", {}).get("text") or ""] + [c.get("display") or "" for c in row.get("code", {}).get("coding", [])]
    culture = any("culture" in w.lower() for w in words)
    named = [c.get("code") for category in row.get("category", []) for c in category.get("coding", [])]
    named += [category.get("text", "").lower() for category in row.get("category", [])]
    kind = next((CATEGORY[n] for n in named if n in CATEGORY), None)
    if kind is None:
        measured = any(k in row for k in ("valueQuantity", "valueInteger"))
        measured = measured or any("valueQuantity" in c for c in row.get("component", []))
        if VITALS & set(codes):
            return "vital"
        if culture:
            return "culture"
        return "lab" if measured else "finding"
    return "culture" if kind == "lab" and culture else kind


def events(row):
    kind = row.get("resourceType")
    if kind in ALWAYS:
        yield ALWAYS[kind]
        if kind == "Encounter" and len(row.get("location", [])) > 1:
            yield from ("transfer" for place in row["location"] if "location" in place)
        if kind == "DiagnosticReport":
            yield from ("finding" for c in row.get("conclusionCode", []) if said(c))
    elif kind in CODED:
        name, member = CODED[kind]
        if said(row.get(member)):
            yield name
        if kind == "AllergyIntolerance":
            for reaction in row.get("reaction", []):
                if "onset" in reaction:
                    yield from ("adverse_event" for m in reaction.get("manifestation", []) if said(m))
    elif kind in MEDICATION:
        if said(row.get("medicationCodeableConcept")) or "medicationReference" in row:
            yield MEDICATION[kind]
    elif kind == "Observation":
        if said(row.get("code")):
            yield observation_kind(row)
        yield from (observation_kind(row) for part in row.get("component", []) if said(part.get("code")))
    elif kind == "Device" and (row.get("patient") or row.get("subject")):
        if said(row.get("type")) or row.get("deviceName"):
            yield "device"
    for inner in row.get("contained", []):
        yield from events(inner)


def count(path):
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".gz"):
        data = gzip.decompress(data)
    rows = {}
    for entry in json.loads(data.decode("utf-8-sig")).get("entry", []):
        row = entry.get("resource")
        if row:
            rows[json.dumps(row, sort_keys=True)] = row  # the same content twice is one
    return collections.Counter(event for row in rows.values() for event in events(row))


if __name__ == "__main__":
    print(json.dumps({path: dict(sorted(count(path).items())) for path in sys.argv[1:]}, indent=1))
