// Records made for these tests: invented patients, built in code.

const STATUS = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
const LOINC = 'http://loinc.org';

/** A note whose words lie behind characters that are several bytes, or two UTF-16 units, long. */
export const NOTE = [
  'Progress note 🩺 – naïve to β-lactams, 38.9 °C on arrival.',
  'Vancomycin was started for presumed MRSA pneumonia.',
  'On day 3 creatinine rose to 2.4 mg/dL; acute kidney injury developed after vancomycin.',
].join('\r\n');

/** One stay in which acute kidney injury follows vancomycin, as rows and in a note. */
export function kidneyInjury(id = 'p1') {
  const subject = { reference: `Patient/${id}` };
  const encounter = { reference: `Encounter/${id}-stay` };
  const creatinine = (n, time, value) => ({
    resourceType: 'Observation',
    id: `${id}-creatinine-${n}`,
    status: 'final',
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] }],
    code: { coding: [{ system: LOINC, code: '2160-0', display: 'Creatinine [Mass/volume] in Serum or Plasma' }] },
    subject,
    encounter,
    effectiveDateTime: time,
    valueQuantity: { value, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
  });
  const vancomycin = { coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '11124', display: 'vancomycin' }] };
  return bundle([
    { resourceType: 'Patient', id, gender: 'female', birthDate: '1961' },
    {
      resourceType: 'Encounter',
      id: `${id}-stay`,
      status: 'finished',
      class: { code: 'IMP' },
      subject,
      period: { start: '2031-03-01T08:00:00Z', end: '2031-03-09T12:00:00Z' },
    },
    ...['2031-03-01T10:00:00Z', '2031-03-02T10:00:00Z'].map((time, n) => ({
      resourceType: 'MedicationAdministration',
      id: `${id}-vancomycin-${n}`,
      status: 'completed',
      medicationCodeableConcept: vancomycin,
      subject,
      context: encounter,
      effectivePeriod: { start: time, end: time.replace('T10', 'T11') },
      dosage: { dose: { value: 1, unit: 'g' }, route: { text: 'intravenous' } },
    })),
    creatinine(1, '2031-03-01T09:00:00Z', 0.9),
    creatinine(2, '2031-03-03T06:00:00Z', 2.4),
    {
      resourceType: 'Condition',
      id: `${id}-aki`,
      clinicalStatus: { coding: [{ system: STATUS, code: 'active' }] },
      code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'N17.9', display: 'Acute kidney failure, unspecified' }], text: 'Acute kidney injury' },
      subject,
      encounter,
      onsetDateTime: '2031-03-03T07:00:00Z',
      recordedDate: '2031-03-03T09:30:00Z',
    },
    {
      resourceType: 'DocumentReference',
      id: `${id}-note`,
      status: 'current',
      type: { coding: [{ system: LOINC, code: '11506-3', display: 'Progress note' }] },
      subject,
      date: '2031-03-03T15:00:00Z',
      context: { encounter: [encounter] },
      content: [{ attachment: { contentType: 'text/plain; charset=utf-8', data: Buffer.from(NOTE, 'utf8').toString('base64') } }],
    },
  ]);
}

export const QUESTION = 'Was acute kidney injury documented after vancomycin?';

export function bundle(resources) {
  return {
    resourceType: 'Bundle',
    type: 'collection',
    entry: resources.map((resource) => ({ fullUrl: `https://example.org/${resource.resourceType}/${resource.id}`, resource })),
  };
}

/** One patient's observations as NDJSON, of at least `size` bytes. */
export function ndjson(size, id = 'big') {
  const lines = [JSON.stringify({ resourceType: 'Patient', id })];
  let length = lines[0].length;
  for (let n = 0; length < size; n += 1) {
    const time = new Date(Date.UTC(2031, 0, 1) + n * 60_000).toISOString();
    const line = JSON.stringify({
      resourceType: 'Observation',
      id: `${id}-${n}`,
      status: 'final',
      code: { coding: [{ system: LOINC, code: '8867-4', display: 'Heart rate' }] },
      subject: { reference: `Patient/${id}` },
      effectiveDateTime: time,
      valueQuantity: { value: 60 + (n % 60), unit: '/min', system: 'http://unitsofmeasure.org', code: '/min' },
    });
    lines.push(line);
    length += line.length + 1;
  }
  return Buffer.from(lines.join('\n'), 'utf8');
}
