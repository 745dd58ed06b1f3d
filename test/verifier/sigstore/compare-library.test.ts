import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import type { JsonObject } from '../../../src/verifier/strict-json.ts'
import { evidenceIsThere, realEvidence } from '../evidence-folder.ts'
import { compareVerifiers } from './compare-library.ts'
import { mintSigstore, type ReleaseWishes } from './minted-release.ts'

describe('minted bundles', () => {
  let sigstore: Awaited<ReturnType<typeof mintSigstore>>
  beforeAll(async () => {
    sigstore = await mintSigstore()
  })

  test.each<[string, ReleaseWishes]>([
    ['timed by the log', {}],
    ['timed by an authority', { timestampAuthority: true }],
    ['in the log of the second generation, as dsse', { rekor2: 'dsse' }],
    ['in the log of the second generation, as hashedrekord', { rekor2: 'hashedrekord' }],
  ])('%s', async (_what, wishes) => {
    compareVerifiers(
      await sigstore.release(wishes),
      JSON.stringify(sigstore.trustedRoot),
      Date.now() + 1_000,
      80,
    )
  })
})

describe.skipIf(!evidenceIsThere)('the bundle of a real release', () => {
  test('under Sigstore’s own roots', () => {
    const { sigstoreBundle } = JSON.parse(realEvidence('bundle/genoa-router-bundle.json').toString()) as {
      sigstoreBundle: JsonObject
    }
    const trustedRoot = readFileSync(
      join(import.meta.dirname, '../../../resources/trust/sigstore-trusted-root.json'),
      'utf8',
    )
    compareVerifiers(sigstoreBundle, trustedRoot, Date.UTC(2026, 1, 1), 150)
  })
})
