import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EvidenceField } from '../../build/evidence-fields/field.ts'
import { documentFields } from '../../build/evidence-fields/nitro.ts'
import {
  answerDocumentFields,
  answerFields,
  imageRecordFields,
} from '../../build/evidence-fields/service-enclave.ts'
import { reportFields } from '../../build/evidence-fields/sev-snp.ts'
import { bodyFields, headerFields, qeReportFields, signatureParts } from '../../build/evidence-fields/tdx.ts'
import {
  collateralFields,
  cryptoMaterialFields,
  deviceEvidenceFields,
  v3DocumentFields,
} from '../../build/evidence-fields/v3.ts'
import { EVIDENCE_FIELDS_PATH, renderEvidenceFields } from '../../build/write-evidence-fields.ts'
import { keyBindingSteps, nameSteps } from '../../src/verifier/enclave-certificate.ts'
import { nitroKeySteps, nitroSteps } from '../../src/verifier/nitro/index.ts'
import { matchSteps } from '../../src/verifier/release-checks.ts'
import { answerSteps, serviceEnclaveSteps } from '../../src/verifier/service-enclave/steps.ts'
import { sevSteps } from '../../src/verifier/sev-snp/index.ts'
import { REPORT_BYTES } from '../../src/verifier/sev-snp/report.ts'
import { tdxSteps } from '../../src/verifier/tdx/index.ts'
import { v3Steps } from '../../src/verifier/v3/index.ts'
import { virtualHardwareSteps } from '../../src/verifier/virtual-hardware.ts'
import { mintAmd, NOW, policy as sevPolicy, type MintedAmd } from '../verifier/sev-snp/minted-chip.ts'
import { bodyAt, MintedIntel } from '../verifier/tdx/minted-machine.ts'

const sevIds: ReadonlySet<string> = new Set(sevSteps.names.map(({ id }) => id))
const tdxIds: ReadonlySet<string> = new Set(tdxSteps.names.map(({ id }) => id))
const v3Fields = [...v3DocumentFields, ...cryptoMaterialFields, ...deviceEvidenceFields, ...collateralFields]
const serviceEnclaveFields = [...answerFields, ...answerDocumentFields, ...imageRecordFields]
const lengthOf = (fields: readonly EvidenceField[]) => fields.reduce((sum, { length }) => sum + length, 0)

describe('the table of evidence fields', () => {
  it('is the page in the documents', () => {
    expect(readFileSync(join(import.meta.dirname, '../..', EVIDENCE_FIELDS_PATH), 'utf8')).toBe(
      renderEvidenceFields(),
    )
  })

  it('covers every byte of a report, a quote’s header and body, and the quoting enclave’s report', () => {
    expect([reportFields, headerFields, bodyFields, qeReportFields].map(lengthOf)).toEqual([
      REPORT_BYTES,
      48,
      648,
      384,
    ])
  })

  it('names steps that exist, and a reason for each field that none decides on', () => {
    const known = new Set<string>(
      [
        sevSteps,
        tdxSteps,
        nitroSteps(true),
        nitroKeySteps,
        keyBindingSteps,
        nameSteps,
        virtualHardwareSteps,
        matchSteps,
        v3Steps,
        answerSteps,
        serviceEnclaveSteps('published', true),
      ].flatMap(({ names }) => names.map(({ id }) => id)),
    )
    known.add('measurement/pinned')
    const all: readonly Pick<EvidenceField, 'name' | 'steps' | 'note'>[] = [
      ...reportFields,
      ...headerFields,
      ...bodyFields,
      ...signatureParts,
      ...qeReportFields,
      ...documentFields,
      ...v3Fields,
      ...serviceEnclaveFields,
    ]
    expect(all.flatMap(({ steps }) => steps).filter((step) => !known.has(step))).toEqual([])
    expect(all.filter(({ steps, note }) => steps.length === 0 && note === undefined)).toEqual([])
  })

  it('names each step of the service’s enclave', () => {
    const named = new Set(serviceEnclaveFields.flatMap(({ steps }) => steps))
    const enclaveSteps = [...answerSteps.names, ...serviceEnclaveSteps('published', true).names]
      .map(({ id }) => id)
      .filter((id) => id.startsWith('service-enclave/'))
    // No part of the evidence decides on the connection, which is never checked.
    expect(enclaveSteps.filter((id) => !named.has(id))).toEqual(['service-enclave/connection'])
  })

  it('leaves no part of document v3 undecided, and no step of it without a part', () => {
    expect(v3Fields.filter(({ steps }) => steps.length === 0)).toEqual([])
    expect(new Set(v3Fields.flatMap(({ steps }) => steps))).toEqual(
      new Set(v3Steps.names.map(({ id }) => id)),
    )
  })
})

/** The bytes of a field, each with one bit flipped. */
function changesOf({ offset, length }: EvidenceField, bytes: Uint8Array): { at: number; byte: Uint8Array }[] {
  return Array.from({ length }, (_, index) => ({
    at: offset + index,
    byte: Uint8Array.of((bytes[offset + index] ?? 0) ^ 1),
  }))
}

/**
 * Which steps fail, and how many changes none refuses. A raised patch level is no failure, and what the report only carries, such as the
 * measurement, is decided on by later steps.
 */
function expectDecided(
  field: EvidenceField,
  failed: readonly (string | undefined)[],
  steps: ReadonlySet<string>,
): void {
  const fieldSteps = field.steps.filter((step) => steps.has(step))
  expect(failed.filter((step) => step !== undefined && !fieldSteps.includes(step))).toEqual([])
  if (fieldSteps.length > 0) expect(failed.some((step) => step !== undefined)).toBe(true)
  else expect(failed.every((step) => step === undefined)).toBe(true)
}

describe('a changed byte of a signed SEV-SNP report', () => {
  let amd: MintedAmd
  beforeAll(async () => {
    amd = await mintAmd()
  })
  // Exact flags and required mitigations, as far as a policy can state them.
  const policyOf = (): typeof sevPolicy => ({
    ...sevPolicy,
    guest: { ...sevPolicy.guest, policy: '0000000000030000' },
    products: {
      Turin: {
        ...sevPolicy.products.Turin!,
        requiredMitigations: '0101010101010101',
        platform: { ...sevPolicy.platform, info: '0000000000000067' },
      },
    },
  })
  const mitigated = { 0x1f8: Buffer.alloc(16, 1) }

  it.each(
    reportFields
      .filter(({ name }) => name !== 'SIGNATURE')
      .map((field) => ({ field, name: `${field.name} at 0x${field.offset.toString(16)}` })),
  )('fails the step of $name', ({ field }) => {
    const sound = amd.report('Turin', mitigated)
    const verify = (report: Uint8Array) =>
      sevSteps.verify({
        report,
        vcek: amd.soundChip('Turin'),
        roots: amd.roots('Turin'),
        policy: policyOf(),
        now: NOW,
      })
    expect(verify(sound).good).toBe(true)
    const failed = changesOf(field, sound).map(({ at, byte }) => {
      const result = verify(amd.report('Turin', { ...mitigated, [at]: byte }))
      return result.good ? undefined : result.failure.step
    })
    expectDecided(field, failed, sevIds)
  })
})

describe('a changed byte of a signed TDX quote', () => {
  const intel = new MintedIntel()
  const version = 5
  const placed = [
    ...headerFields.map((field) => ({ part: 'header', field, start: 0 })),
    ...bodyFields.map((field) => ({ part: 'body', field, start: bodyAt(version) })),
  ].map((each) => ({ ...each, name: `${each.part}, ${each.field.name}` }))

  it.each(placed)('fails the step of the $name', ({ field, start }) => {
    const verify = (patches: Readonly<Record<number, Uint8Array>>) =>
      tdxSteps.verify(intel.input({ quote: { version, patches } }))
    const sound = intel.quote({ version })
    const failed = changesOf({ ...field, offset: start + field.offset }, sound).map(({ at, byte }) => {
      const result = verify({ [at]: byte })
      return result.good ? undefined : result.failure.step
    })
    expectDecided(field, failed, tdxIds)
  })
})
