import { expect, it } from 'vitest'
import { keyFingerprint } from '../../../../src/core/gateway/relay/index.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld } from '../../../world.ts'

it('a key fingerprint differs between keys, is stable, and reveals nothing of the key', () => {
  const [first, second] = ['sk-0123456789abcdefghijkl', 'sk-0123456789abcdefghijkm']
  expect(keyFingerprint(first)).toMatch(/^[0-9a-f]{16}$/)
  expect(keyFingerprint(first)).toBe(keyFingerprint(first))
  expect(keyFingerprint(second)).not.toBe(keyFingerprint(first))
  // The one before is not what the next is answered with.
  expect(keyFingerprint(first)).not.toBe(keyFingerprint(second))
  expect(first).not.toContain(keyFingerprint(first).slice(0, 6))
})

it('a key fingerprint is on the receipt of every request sent with the key, and the key is on none', async () => {
  await using world = await startWorld()
  const [account] = (await world.call('accounts/list')) as { id: string }[]
  const { apiKey } = (await world.call('accounts/reveal', { accountId: account?.id })) as { apiKey: string }
  for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL])
    await (await world.post({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens: 5 })).text()
  await (
    await world.post({ model: 'sandbox/eco-embedding-small', input: 'hello' }, {}, '/v1/embeddings')
  ).text()
  const receipts = (await world.call('receipts/list', { limit: 10 })) as Receipt[]
  const sent = receipts.filter(({ privacy }) => privacy !== 'refused')
  expect(sent).toHaveLength(3)
  expect(sent.map(({ serviceKey }) => serviceKey)).toEqual(sent.map(() => keyFingerprint(apiKey)))
  expect(JSON.stringify(receipts)).not.toContain(apiKey)
})
