import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EvidenceField } from './evidence-fields/field.ts'
import { documentFields } from './evidence-fields/nitro.ts'
import { answerDocumentFields, answerFields, imageRecordFields } from './evidence-fields/service-enclave.ts'
import { reportFields } from './evidence-fields/sev-snp.ts'
import { bodyFields, headerFields, qeReportFields, signatureParts } from './evidence-fields/tdx.ts'
import {
  collateralFields,
  cryptoMaterialFields,
  deviceEvidenceFields,
  v3DocumentFields,
} from './evidence-fields/v3.ts'

export const EVIDENCE_FIELDS_PATH = 'docs/evidence-fields.md'

type Part = Pick<EvidenceField, 'name' | 'steps' | 'note'>

/** The document that lists every field of each evidence format and the steps that decide on it. */
export function renderEvidenceFields(): string {
  return `# Fields of the evidence

Every field of each evidence format, and the steps of the verdict that decide on it. \`npm run evidence-fields\` writes this
page; \`test/build/evidence-fields.test.ts\` changes each byte of a report and a quote, and compares the step that fails.
[security.md](security.md#steps-of-a-verdict) describes the steps.

## AMD SEV-SNP report

${table(reportFields)}

## Intel TDX quote

The header, with offsets from the start of the quote:

${table(headerFields)}

The body, with offsets from its start:

${table(bodyFields)}

The parts after the body:

${table(signatureParts)}

The report of the quoting enclave. The machine's certified key signs all of it (\`quote/qe-report\`):

${table(qeReportFields)}

## AWS Nitro document

${table(documentFields)}

## Answer of the service's own enclave

It contains an AWS Nitro document, which answers a nonce. Nothing else in it is signed.

${table(answerFields)}

Members of its document on which other steps decide than in the table above:

${table(answerDocumentFields)}

The service's record of its images, which isn't signed:

${table(imageRecordFields)}

## Attestation document v3

The enclave's own document, which answers a nonce (*fresh evidence*). It contains an SEV-SNP report or a TDX quote.
\`v3/hardware\` takes the steps of the tables above that need only the report and its collateral.

${table(v3DocumentFields)}

The section \`crypto_material\`:

${table(cryptoMaterialFields)}

The section \`device_evidence\`:

${table(deviceEvidenceFields)}

The entries of \`collateral\`:

${table(collateralFields)}
`
}

function table(fields: readonly (Part & Partial<Pick<EvidenceField, 'offset' | 'length'>>)[]): string {
  const withOffsets = fields.some(({ offset }) => offset !== undefined)
  const head = withOffsets
    ? ['| offset | bytes | field | decided by |', '|---|---|---|---|']
    : ['| field | decided by |', '|---|---|']
  const rows = fields.map(({ offset = 0, length = 0, name, steps, note }) => {
    const decision = [
      steps.map((step) => `\`${step}\``).join(', ') || 'nothing',
      ...(note === undefined ? [] : [note]),
    ].join(': ')
    return withOffsets
      ? `| 0x${offset.toString(16)} | ${String(length)} | ${name} | ${decision} |`
      : `| ${name} | ${decision} |`
  })
  return [...head, ...rows].join('\n')
}

if (import.meta.main)
  writeFileSync(join(import.meta.dirname, '..', EVIDENCE_FIELDS_PATH), renderEvidenceFields())
