import { expect, it } from 'vitest'
import { keyMark } from '../../../src/core/relay/index.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import { OPEN_MODEL, PRIVATE_MODEL, startWorld } from '../../world.ts'

it('tells keys apart, is the same for the same one, and holds nothing of it', () => {
  const [first, second] = ['sk-0123456789abcdefghijkl', 'sk-0123456789abcdefghijkm']
  expect(keyMark(first)).toMatch(/^[0-9a-f]{16}$/)
  expect(keyMark(first)).toBe(keyMark(first))
  expect(keyMark(second)).not.toBe(keyMark(first))
  // The one before is not what the next is answered with.
  expect(keyMark(first)).not.toBe(keyMark(second))
  expect(first).not.toContain(keyMark(first).slice(0, 6))
})

it('stands on the receipt of every request that the key was sent with, and the key stands on none', async () => {
  await using world = await startWorld()
  const [account] = (await world.call('accounts/list')) as { id: string }[]
  const { apiKey } = (await world.call('accounts/reveal', { accountId: account?.id })) as { apiKey: string }
  for (const model of [OPEN_MODEL, PRIVATE_MODEL])
    await (await world.post({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens: 5 })).text()
  await (
    await world.post({ model: 'sandbox/eco-embedding-small', input: 'hello' }, {}, '/v1/embeddings')
  ).text()
  const receipts = (await world.call('receipts/list', { limit: 10 })) as Receipt[]
  const sent = receipts.filter(({ privacy }) => privacy !== 'refused')
  expect(sent).toHaveLength(3)
  expect(sent.map(({ serviceKey }) => serviceKey)).toEqual(sent.map(() => keyMark(apiKey)))
  expect(JSON.stringify(receipts)).not.toContain(apiKey)
})
