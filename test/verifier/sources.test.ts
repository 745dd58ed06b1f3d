import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { readCoseSign1, readNitroDocument } from '../../src/verifier/nitro/index.ts'
import { verifyNitroDocument } from './nitro/verify-document.ts'
import { sevSteps } from '../../src/verifier/sev-snp/index.ts'
import { verifyIntermediate, verifyRoot, verifyVcek } from '../../src/verifier/sev-snp/chain.ts'
import { tdxSteps, type TdxInput } from '../../src/verifier/tdx/index.ts'
import { parseCertificate, type Link } from '../../src/verifier/x509/index.ts'
import type { SevPolicy } from '../../src/shared/policy/sev-snp.ts'
import type { VerdictStep } from '../../src/shared/verdict.ts'
import {
  amdRoots,
  builtInTrust,
  evidenceIsThere,
  presetPolicy,
  presetSevPolicy,
  realEvidence,
} from './evidence-folder.ts'
import { outdated, sapphireRapids, upToDate } from './tdx/real-tdx.ts'
import { EvidenceError } from '../../src/verifier/text.ts'

type Result = {
  readonly good: boolean
  readonly steps: readonly VerdictStep[]
  readonly failure?: { readonly code: string } | undefined
}
const codeOf = ({ good, failure }: Result) => (good ? 'good' : (failure?.code ?? ''))
const passes = ({ steps }: Result, ...ids: string[]) =>
  ids.map((id) => steps.find((step) => step.id === id)?.outcome)

/** Chain and signature hold, regardless of the other steps. */
function authentic(result: Result, ...ids: string[]) {
  expect(passes(result, ...ids)).toEqual(ids.map(() => 'passed'))
}

const anyMilan = (): SevPolicy => ({
  ...presetSevPolicy(),
  minimumBuild: 0,
  minimumApi: { major: 0, minor: 0 },
  platform: { requireTsme: false, requireEcc: false, requireAliasCheck: false },
  products: { Milan: { minimumTcb: { bootloader: 0, tee: 0, snp: 0, microcode: 0 } } },
})
const IN_2026 = Date.UTC(2026, 1, 1)

function sev(report: Buffer, vcek: string, policy = anyMilan()): Result {
  return sevSteps.verify({
    report,
    vcek: realEvidence(`sev-snp/${vcek}`),
    roots: amdRoots,
    policy,
    now: IN_2026,
  })
}

function sound(link: Link) {
  if ('fault' in link) throw new EvidenceError(link.fault)
  return link
}

function tdx(input: TdxInput, now = input.now): Result {
  return tdxSteps.verify({ ...input, now })
}

function nitro(document: Buffer, pcr0: string, at?: number): Result {
  const { timestamp } = readNitroDocument(readCoseSign1(document).payload)
  return verifyNitroDocument({
    document,
    root: builtInTrust.awsNitroRoot ?? new Uint8Array(),
    policy: { images: [{ pcr0 }] },
    now: at ?? timestamp,
  })
}
const NITRO_IMAGE =
  'f4d48b81a460c9916d1e685119074bf24660afd3e34fae9fca0a0d28d9d5599936332687e6f66fc890ac8cf150142d8b'

/** Each row of the list of real evidence, by its first cell: the correct verdict, as our verifier reports it. */
const rows: Readonly<Record<string, () => void>> = {
  'bundle/genoa-router-bundle.json': () => {
    const at = (now: number) =>
      codeOf(
        verifyEvidence(realEvidence('bundle/genoa-router-bundle.json'), builtInTrust, presetPolicy(), now),
      )
    expect([at(Date.UTC(2026, 0, 15)), at(IN_2026), at(Date.UTC(2026, 4, 1))]).toEqual([
      'certificate/not-yet-valid',
      'good',
      'certificate/expired',
    ])
  },
  'sev-snp/report_milan.hex, vcek_milan.der': () => {
    const report = Buffer.from(realEvidence('sev-snp/report_milan.hex').toString(), 'hex')
    expect(codeOf(sev(report, 'vcek_milan.der'))).toBe('good')
    authentic(sev(report, 'vcek_milan.der'), 'vcek/chain', 'report/signature')
    expect(codeOf(sev(report, 'vcek_milan.der', presetSevPolicy()))).toBe('vcek/product-not-accepted')
  },
  'sev-snp/milan-debug-report.bin, milan-debug-vcek.der': () => {
    const result = sev(realEvidence('sev-snp/milan-debug-report.bin'), 'milan-debug-vcek.der')
    authentic(result, 'vcek/chain', 'report/signature')
    expect(codeOf(result)).toBe('report/debug-guest')
  },
  'sev-snp/vcek_turin.der': () => {
    const { ark, ask } = amdRoots.Turin!
    const intermediate = sound(
      verifyIntermediate(ask, sound(verifyRoot(ark, 'Turin', IN_2026)), 'Turin', IN_2026),
    )
    expect(verifyVcek(parseCertificate(realEvidence('sev-snp/vcek_turin.der')), intermediate)).toHaveProperty(
      'key',
    )
  },
  'tdx/tdx_quote, tdx_quote_collateral.json': () => {
    const { input } = upToDate()
    expect(codeOf(tdx(input))).toBe('good')
    expect(codeOf(tdx(input, Date.UTC(2025, 5, 18)))).toBe('intel/pck-crl-invalid')
    expect(codeOf(tdx(input, Date.UTC(2025, 6, 20)))).toMatch(/^intel\/.*-expired$/)
    expect(codeOf(tdx(input, Date.now()))).toMatch(/^intel\/.*-expired$/)
  },
  'tdx/tdx_quote_outdated(_collateral.json)': () => {
    const result = tdx(outdated())
    authentic(
      result,
      'pck/chain',
      'quote/signature',
      'quote/qe-report',
      'quote/attestation-key',
      'intel/tcb-info',
      'intel/qe-identity',
    )
    expect(codeOf(result)).toBe('intel/tcb-unlisted')
  },
  'tdx/spr/*': () => {
    const { input } = sapphireRapids()
    const result = tdx(input)
    authentic(
      result,
      'pck/chain',
      'quote/signature',
      'quote/qe-report',
      'quote/attestation-key',
      'intel/root-crl',
      'intel/pck-crl',
      'intel/tcb-info',
      'intel/qe-identity',
    )
    expect(input.now).toBe(1688083200_000)
  },
  'nitro/valid-attestation-doc.bin': () => {
    const document = realEvidence('nitro/valid-attestation-doc.bin')
    expect(codeOf(nitro(document, NITRO_IMAGE))).toBe('good')
    expect(codeOf(nitro(document, NITRO_IMAGE, Date.UTC(2022, 9, 13, 12)))).toBe('nitro/expired')
  },
  'nitro/debug-mode-attestation-doc.bin, .b64': () => {
    const packed = Buffer.from(
      realEvidence('nitro/debug-mode-attestation-doc.b64').toString('latin1'),
      'base64',
    )
    for (const document of [realEvidence('nitro/debug-mode-attestation-doc.bin'), packed]) {
      const result = nitro(document, '00'.repeat(48))
      authentic(result, 'nitro/chain', 'nitro/signature')
      expect(codeOf(result)).toBe('nitro/debug-enclave')
    }
  },
  // Vectors without a verdict: a separate test covers them, with both implementations.
  'ehbp/derive.json, response-decryption.json, session-recovery-token.json': () => {
    const test = readFileSync(join(import.meta.dirname, '../ehbp/evidence.test.ts'), 'utf8')
    for (const file of ['derive', 'response-decryption', 'session-recovery-token'])
      expect(test).toMatch(new RegExp(`read\\(\\s*'${file}\\.json'`))
  },
}

describe.skipIf(!evidenceIsThere)('the list of real evidence', () => {
  const listed = evidenceIsThere
    ? [
        ...realEvidence('SOURCES.md')
          .toString()
          .matchAll(/^\| ([^|]+?) \|/gm),
      ]
        .map(([, path = '']) => path)
        .filter((path) => path !== 'path' && !/^-+$/.test(path))
    : []

  it('has a verdict here for each of its rows, and no row that is not judged', () => {
    expect(listed.length).toBeGreaterThan(0)
    expect([...listed].sort()).toEqual(Object.keys(rows).sort())
  })

  it.each(listed)('%s is judged as it must be', (path) => {
    expect.hasAssertions()
    rows[path]?.()
  })
})
