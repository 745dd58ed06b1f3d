import { createHash, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { QuoteVerifier, type Collateral } from '@phala/dcap-qvl'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import type { SandboxFault } from '../../src/shared/sandbox-faults.ts'
import type { TrustSet } from '../../src/shared/trust.ts'
import { verifySigstore } from './evidence.ts'
import { startTestSandbox } from './cached-roots.ts'

interface PcsResponse {
  url: string
  headers: Record<string, string[]>
  body_base64: string
}
interface TdxBundle {
  enclaveAttestationReport: { format: string; body: string }
  vcek?: string
  sigstoreBundle: { dsseEnvelope: { payload: string } }
  collateral: {
    id: string
    role: string
    format: string
    data: {
      responses?: PcsResponse[]
      repo?: string
      digest?: string
      sigstore_bundle?: { dsseEnvelope: { payload: string } }
    }
  }[]
}

let sandbox: Sandbox
let trust: TrustSet
beforeAll(async () => {
  sandbox = await startTestSandbox()
  sandbox.setPlatform('tdx')
  trust = await sandbox.trust()
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
})
afterAll(() => sandbox.close())

async function bundle(): Promise<TdxBundle> {
  return (await (await fetch(`${sandbox.baseUrl}/private/attestation`)).json()) as TdxBundle
}

function quoteOf({ enclaveAttestationReport }: TdxBundle): Buffer {
  return gunzipSync(Buffer.from(enclaveAttestationReport.body, 'base64'))
}

/** `{"<member>":<text>,"signature":"<hex>"}`, with the text exactly as it was signed. */
function signedText(json: string, member: string): [text: string, signature: string] {
  const start = `{"${member}":`
  expect(json.startsWith(start)).toBe(true)
  return [
    json.slice(start.length, json.lastIndexOf(',"signature":"')),
    (JSON.parse(json) as { signature: string }).signature,
  ]
}

/** Intel's answers in the form that the published verifier takes. */
function collateralOf({ collateral }: TdxBundle): Collateral {
  const responses = collateral.find(({ id }) => id === 'intel-pcs')?.data.responses ?? []
  const of = (path: string) =>
    responses.find(({ url }) => url.includes(path)) ?? expect.fail(`no answer of ${path}`)
  const body = (path: string) => Buffer.from(of(path).body_base64, 'base64')
  const chain = (path: string, header: string) =>
    decodeURIComponent(of(path).headers[header]?.[0] ?? expect.fail(`no ${header}`))
  const [tcbInfo, tcbInfoSignature] = signedText(body('/tdx/certification/v4/tcb?').toString(), 'tcbInfo')
  const [qeIdentity, qeIdentitySignature] = signedText(
    body('/tdx/certification/v4/qe/identity').toString(),
    'enclaveIdentity',
  )
  return {
    pck_crl_issuer_chain: chain('/pckcrl?', 'Sgx-Pck-Crl-Issuer-Chain'),
    root_ca_crl: body('/IntelSGXRootCA.der').toString('hex'),
    pck_crl: body('/pckcrl?').toString('hex'),
    tcb_info_issuer_chain: chain('/tcb?', 'Tcb-Info-Issuer-Chain'),
    tcb_info: tcbInfo,
    tcb_info_signature: tcbInfoSignature,
    qe_identity_issuer_chain: chain('/qe/identity', 'Sgx-Enclave-Identity-Issuer-Chain'),
    qe_identity: qeIdentity,
    qe_identity_signature: qeIdentitySignature,
  }
}

/** The verdict of the published verifier under the sandbox's Intel root. */
function verifyQuote(evidence: TdxBundle, now = Date.now()): { status: string } {
  return QuoteVerifier.newWithRootCa(Buffer.from(trust.intelSgxRoot ?? [])).verify(
    quoteOf(evidence),
    collateralOf(evidence),
    Math.floor(now / 1000),
  )
}

function registers(evidence: TdxBundle): Record<string, string> {
  const quote = quoteOf(evidence)
  const at = (offset: number, length: number) =>
    quote.subarray(48 + offset, 48 + offset + length).toString('hex')
  return {
    teeTcb: at(0, 16),
    mrSeam: at(16, 48),
    signerAndAttributes: at(64, 56),
    tdAttributes: at(120, 8),
    xfam: at(128, 8),
    mrtd: at(136, 48),
    config: at(184, 144),
    rtmr0: at(328, 48),
    rtmr1: at(376, 48),
    rtmr2: at(424, 48),
    rtmr3: at(472, 48),
    tlsKey: at(520, 32),
  }
}

describe('a valid quote', () => {
  test('is up to date by @phala/dcap-qvl, under the sandbox’s own Intel root', async () => {
    expect(verifyQuote(await bundle()).status).toBe('UpToDate')
  })

  test('is refused under another root, after a changed byte, and after the collateral expired', async () => {
    const evidence = await bundle()
    expect(() =>
      QuoteVerifier.newWithRootCa(Buffer.from(trust.awsNitroRoot ?? [])).verify(
        quoteOf(evidence),
        collateralOf(evidence),
        Math.floor(Date.now() / 1000),
      ),
    ).toThrow()
    const changed = structuredClone(evidence)
    const quote = quoteOf(evidence)
    quote[48 + 376] = (quote[48 + 376] ?? 0) ^ 1
    changed.enclaveAttestationReport.body = gzipSync(quote).toString('base64')
    expect(() => verifyQuote(changed)).toThrow()
    expect(() => verifyQuote(evidence, Date.now() + 31 * 24 * 3600_000)).toThrow()
  })

  test('has the layout of version 4, with a PEM chain of three and a final NUL', async () => {
    const evidence = await bundle()
    const quote = quoteOf(evidence)
    expect(evidence.enclaveAttestationReport.format).toBe('https://tinfoil.sh/predicate/tdx-guest/v2')
    expect(evidence.vcek).toBeUndefined()
    expect(quote.subarray(0, 28).toString('hex')).toBe(
      '040002008100000000000000939a7233f79c4ca9940a0db3957f0607',
    )
    expect(quote.readUInt32LE(632)).toBe(quote.length - 636)
    expect([quote.readUInt16LE(764), quote.readUInt32LE(766)]).toEqual([6, quote.length - 770])
    expect(quote.readUInt16LE(770 + 448)).toBe(32)
    expect([quote.readUInt16LE(770 + 482), quote.readUInt32LE(770 + 484)]).toEqual([
      5,
      quote.length - 770 - 488,
    ])
    const pem = quote.subarray(770 + 488).toString('latin1')
    expect(pem.endsWith('-----END CERTIFICATE-----\n\0')).toBe(true)
    const chain = (pem.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? []).map(
      (text) => new X509Certificate(text),
    )
    expect(chain.map(({ subject }) => /CN=(.*)/.exec(subject)?.[1])).toEqual([
      'Intel SGX PCK Certificate',
      'Intel SGX PCK Platform CA',
      'Intel SGX Root CA',
    ])
    expect(
      chain.every((certificate, index) => certificate.verify((chain[index + 1] ?? certificate).publicKey)),
    ).toBe(true)
    expect(Buffer.from(trust.intelSgxRoot ?? [])).toEqual(chain[2]?.raw)
  })

  test('matches the policy, and contains the enclave’s keys', async () => {
    const evidence = await bundle()
    const stated = registers(evidence)
    const { policy } = sandbox.profile
    expect(policy?.tdx).toMatchObject({
      tdAttributes: stated['tdAttributes'],
      xfam: stated['xfam'],
      mrSeam: [stated['mrSeam']],
    })
    expect(stated['signerAndAttributes']).toBe('0'.repeat(112))
    expect(stated['config']).toBe('0'.repeat(288))
    expect(stated['rtmr3']).toBe('0'.repeat(96))
    const tls = new X509Certificate((evidence as unknown as { enclaveCert: string }).enclaveCert)
    expect(stated['tlsKey']).toBe(
      createHash('sha256')
        .update(tls.publicKey.export({ type: 'spki', format: 'der' }))
        .digest('hex'),
    )
  })

  test('has code and virtual hardware in statements that @sigstore/verify accepts', async () => {
    const evidence = await bundle()
    const stated = registers(evidence)
    verifySigstore(trust.sigstoreTrustedRoot, evidence.sigstoreBundle)
    const code = JSON.parse(
      Buffer.from(evidence.sigstoreBundle.dsseEnvelope.payload, 'base64').toString(),
    ) as { predicate: { tdx_measurement: object } }
    expect(code.predicate.tdx_measurement).toEqual({ rtmr1: stated['rtmr1'], rtmr2: stated['rtmr2'] })
    const list = evidence.collateral.find(({ id }) => id === 'sigstore-platform')
    expect(list).toMatchObject({
      role: 'reference-values',
      format: 'https://tinfoil.sh/collateral/sigstore-platform/v1',
    })
    const identity = verifySigstore(trust.sigstoreTrustedRoot, list?.data.sigstore_bundle).identity
    expect(identity?.subjectAlternativeName).toMatch(
      /^https:\/\/github\.com\/sotto-sandbox\/hardware-measurements\/\.github\/workflows\/build\.yml@refs\/tags\/v/,
    )
    const statement = JSON.parse(
      Buffer.from(list?.data.sigstore_bundle?.dsseEnvelope.payload ?? '', 'base64').toString(),
    ) as {
      predicateType: string
      subject: { digest: { sha256: string } }[]
      predicate: Record<string, { mrtd: string; rtmr0: string }>
    }
    expect(statement.predicateType).toBe('https://tinfoil.sh/predicate/hardware-measurements/v1')
    expect(statement.subject[0]?.digest.sha256).toBe(list?.data.digest)
    expect(Object.values(statement.predicate)).toContainEqual({
      mrtd: stated['mrtd'],
      rtmr0: stated['rtmr0'],
    })
  })
})

describe('faults', () => {
  test.each<[SandboxFault, RegExp]>([
    ['debug-guest', /debug/i],
    ['expired-certificate', /expired/i],
    ['revoked-certificate', /revoked/i],
    ['expired-collateral', /TCBInfo expired/i],
  ])('%s is refused by @phala/dcap-qvl', async (fault, pattern) => {
    sandbox.setFault(fault, true)
    const evidence = await bundle()
    expect(() => verifyQuote(evidence)).toThrow(pattern)
  })

  test('tcb-out-of-date only changes Intel’s status of the machine', async () => {
    const sound = registers(await bundle())
    sandbox.setFault('tcb-out-of-date', true)
    const evidence = await bundle()
    expect(verifyQuote(evidence)).toMatchObject({
      status: 'OutOfDate',
      advisory_ids: expect.arrayContaining(['INTEL-SA-00837']) as unknown,
    })
    expect(registers(evidence)).toEqual(sound)
  })

  test.each<[SandboxFault, string]>([
    ['other-measurement', 'rtmr1'],
    ['rtmr3-not-zero', 'rtmr3'],
    ['old-tcb', 'teeTcb'],
  ])('%s changes only %s, and Intel’s signature stays valid', async (fault, register) => {
    const sound = registers(await bundle())
    sandbox.setFault(fault, true)
    const evidence = await bundle()
    expect(verifyQuote(evidence).status).toBe('UpToDate')
    expect(changed(sound, registers(evidence))).toEqual([register])
  })

  test('other-hardware changes only the hardware measurements', async () => {
    const sound = registers(await bundle())
    sandbox.setFault('other-hardware', true)
    expect(changed(sound, registers(await bundle()))).toEqual(['mrtd', 'rtmr0'])
  })

  test('old-tcb has a TCB below the policy’s minimum', async () => {
    sandbox.setFault('old-tcb', true)
    const { teeTcb } = registers(await bundle())
    const floor = Buffer.from(sandbox.profile.policy?.tdx?.minimumTeeTcbSvn ?? '', 'hex')
    expect(Buffer.from(teeTcb ?? '', 'hex').some((svn, index) => svn < (floor[index] ?? 0))).toBe(true)
  })

  test('forged-hardware-list has another signer, and missing-collateral has no Intel collateral', async () => {
    sandbox.setFault('forged-hardware-list', true)
    const forged = (await bundle()).collateral.find(({ id }) => id === 'sigstore-platform')
    expect(
      verifySigstore(trust.sigstoreTrustedRoot, forged?.data.sigstore_bundle).identity
        ?.subjectAlternativeName,
    ).toContain('/somebody-else/')
    sandbox.setFault('missing-collateral', true)
    expect((await bundle()).collateral.map(({ id }) => id)).toEqual(['sigstore-platform'])
  })
})

function changed(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((name) => before[name] !== after[name])
}

const real = resolve(import.meta.dirname, '../../../shared/evidence/tdx')

/**
 * Compares everything except values: names, kinds of strings, extensions and their order. Requires the folder of
 * real evidence next to the checkout.
 */
test.skipIf(!existsSync(real))(
  'the certificates have the same extensions as Intel’s, in the same order',
  async () => {
    const quote = await readFile(join(real, 'tdx_quote'))
    const chainOf = (bytes: Buffer) =>
      (bytes.toString('latin1').match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? []).map(
        (text) => new X509Certificate(text),
      )
    const ours = chainOf(quoteOf(await bundle()))
    const theirs = chainOf(quote)
    expect(ours.map(({ subject, issuer }) => [subject, issuer])).toEqual(
      theirs.map(({ subject, issuer }) => [subject, issuer]),
    )
    expect(ours.map(extensionIds)).toEqual(theirs.map(extensionIds))
  },
)

/** OIDs of the extensions, critical ones marked, by their encoding: `SEQUENCE { OID, [TRUE], OCTET STRING }`. */
function extensionIds({ raw }: X509Certificate): string[] {
  const known = {
    '551d23': 'authorityKeyIdentifier',
    '551d1f': 'crlDistributionPoints',
    '551d0e': 'subjectKeyIdentifier',
    '551d0f': 'keyUsage',
    '551d13': 'basicConstraints',
    '2a864886f84d010d01': 'sgx',
  }
  const hex = raw.toString('hex')
  return Object.entries(known)
    .flatMap(([oid, name]) => {
      const tlv = `06${(oid.length / 2).toString(16).padStart(2, '0')}${oid}`
      const at = [hex.indexOf(`${tlv}0101ff04`), hex.indexOf(`${tlv}04`)]
      return at.flatMap((position, index) =>
        position < 0 ? [] : [{ position, name: index === 0 ? `${name}!` : name }],
      )
    })
    .sort((a, b) => a.position - b.position)
    .map(({ name }) => name)
}
