import { Identity, ProtocolError, Transport } from 'ehbp'
import { zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { fetchEvidence } from './evidence.ts'
import { createAccount, startTestSandbox, type TestAccount } from './cached-roots.ts'

let sandbox: Sandbox
let account: TestAccount
beforeAll(async () => {
  sandbox = await startTestSandbox()
  account = await createAccount(sandbox)
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
})
afterAll(() => sandbox.close())

const BOUNDARY = 'boundary-0123456789'
const type = `multipart/form-data; boundary=${BOUNDARY}`

function form(content: Uint8Array | string, field = 'files', filename = '; filename="a.pdf"'): Buffer {
  return Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"${filename}\r\ncontent-type: application/pdf\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
}

/** By the published client, sealed to the attested key. */
async function convert(body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const { report } = await fetchEvidence(sandbox)
  const transport = new Transport(
    await Identity.fromPublicKeyHex(report.subarray(0x70, 0x90).toString('hex')),
    new URL(sandbox.baseUrl).host,
  )
  return transport.post(`${sandbox.baseUrl}/private/v1/convert/file`, Uint8Array.from(body), {
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': type, ...headers },
  })
}

const textOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { document: { md_content: string } }).document.md_content

describe('the sandbox’s conversion of documents', () => {
  it.each<[string, Uint8Array | string, string]>([
    ['a PDF', '%PDF-1.7\n(one \\(two\\)) Tj (three) Tj', 'one (two)\n\nthree'],
    ['a PDF of pictures', '%PDF-1.7\n', ''],
    [
      'a Word document',
      zipSync({
        'word/document.xml': Buffer.from('<w:p><w:t>one &amp; two</w:t></w:p><w:p>three</w:p>'),
        'docProps/core.xml': Buffer.from('nobody'),
      }),
      'one & two\n\nthree',
    ],
    ['a broken archive', 'PK\u0003\u0004PK\u0001\u0002', ''],
    ['a page', '<html><p>one</p></html>', 'one'],
  ])('reads %s, and charges for it', async (_, content, text) => {
    const before = sandbox.ledger().length
    const response = await convert(form(content))
    expect([response.status, response.headers.get('x-tinfoil-usage-metrics')]).toEqual([200, 'cost_usd=0.01'])
    expect(await textOf(response)).toBe(text)
    expect(sandbox.ledger()).toHaveLength(before + 1)
    expect(sandbox.ledger().at(-1)).toMatchObject({ model: 'document-conversion', picoUsd: 10_000_000_000n })
  })

  it('refuses a body that is no form with a file, sealed and free', async () => {
    const before = sandbox.ledger().length
    expect((await convert(form('%PDF-', 'file'))).status).toBe(400)
    expect((await convert(form('%PDF-', 'files', ''))).status).toBe(400)
    expect((await convert(Buffer.from('{}'))).status).toBe(400)
    expect((await convert(form('%PDF-'), { 'content-type': 'application/json' })).status).toBe(415)
    expect(sandbox.ledger()).toHaveLength(before)
  })

  it('refuses an unsealed form, an unknown key and an empty balance', async () => {
    const response = await fetch(`${sandbox.baseUrl}/private/v1/convert/file`, {
      method: 'POST',
      body: Uint8Array.from(form('%PDF-')),
      headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': type },
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'missing_encryption' }])
    // Refused before the seal is answered, which the published client reports as an error.
    const before = sandbox.ledger().length
    await expect(convert(form('%PDF-'), { authorization: 'Bearer sk-unknown' })).rejects.toBeInstanceOf(
      ProtocolError,
    )
    sandbox.setFault('status-402', true)
    await expect(convert(form('%PDF-'))).rejects.toBeInstanceOf(ProtocolError)
    expect(sandbox.ledger()).toHaveLength(before)
  })
})
