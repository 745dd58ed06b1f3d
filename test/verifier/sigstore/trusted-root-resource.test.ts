import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isSoundChain } from '../../../src/verifier/sigstore/authority-chain.ts'
import { readTrustedRoot } from '../../../src/verifier/sigstore/trusted-root.ts'
import { trustedRootMetaSchema } from '../../../src/shared/trusted-root-age.ts'

const trust = join(import.meta.dirname, '../../../resources/trust')
const shipped = readFileSync(join(trust, 'sigstore-trusted-root.json'))
const readme = readFileSync(join(trust, 'README.md'), 'utf8')
const require = createRequire(import.meta.url)

const seeds = z.record(z.string(), z.object({ targets: z.object({ 'trusted_root.json': z.base64() }) }))

test('the trusted root is the one in the installed Sigstore client', () => {
  const seed = seeds.parse(require('@sigstore/tuf/seeds.json'))['https://tuf-repo-cdn.sigstore.dev']
  expect(seed).toBeDefined()
  expect(shipped.equals(Buffer.from(seed!.targets['trusted_root.json'], 'base64'))).toBe(true)
})

test('its source, date and digest are documented', () => {
  const meta = trustedRootMetaSchema.parse(
    JSON.parse(readFileSync(join(trust, 'sigstore-trusted-root.meta.json'), 'utf8')),
  )
  expect(readme).toContain(`@sigstore/tuf\` ${meta.version}, published ${meta.published}`)
  expect(readme).toContain(meta.sha256)
  const installed = z.object({ version: z.string() }).parse(require('@sigstore/tuf/package.json'))
  expect(readme).toContain(`@sigstore/tuf\` ${installed.version},`)
  expect(readme).toContain(createHash('sha256').update(shipped).digest('hex'))
})

test('every log and authority in it is read, and every chain is valid', () => {
  const instances = z.record(z.string(), z.unknown()).parse(JSON.parse(shipped.toString('utf8')))
  const root = readTrustedRoot(shipped.toString('utf8'))
  const { certificateAuthorities, timestampAuthorities, certificateLogs, signatureLogs } = root
  expect({
    certificateAuthorities,
    timestampAuthorities,
    ctlogs: certificateLogs,
    tlogs: signatureLogs,
  }).toEqual(
    Object.fromEntries(
      ['certificateAuthorities', 'timestampAuthorities', 'ctlogs', 'tlogs'].map((name) => [
        name,
        expect.objectContaining({ length: (instances[name] as unknown[]).length }) as unknown,
      ]),
    ),
  )
  // The signer comes first. A certificate authority could only be verified with a certificate below it, so this
  // verifies the authority's own chain.
  for (const {
    chain: [signer, ...issuers],
  } of [...certificateAuthorities.filter(({ chain }) => chain.length > 1), ...timestampAuthorities]) {
    expect(isSoundChain(signer!, issuers)).toBe(true)
  }
})
