import { property, array, assert, constantFrom, nat, record } from 'fast-check'
import { expect, it } from 'vitest'
import { createPlaintextListings } from '../../../../src/core/gateway/relay/plaintext-listings.ts'
import { SkippedEntries } from '../../../../src/core/gateway/relay/index.ts'
import type { ServiceList } from '../../../../src/core/gateway/relay/skipped-entries.ts'
import { renderEnglish } from '../../../../src/shared/localized-text.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import { startWorld } from '../../../world.ts'
import { scripted } from '../service/scripted.ts'

const LISTS: readonly ServiceList[] = [
  'models',
  'embeddings',
  'media',
  'audio',
  'transcription',
  'voices',
  'data',
  'methods',
]
const inWords = (skipped: SkippedEntries): string[] =>
  skipped.notices().map(({ says }) => renderEnglish(says))

it('gives one notice whose sum is that of the last answer of each list, and none while everything can be read', () => {
  assert(
    property(array(record({ list: constantFrom(...LISTS), unreadable: nat(3) })), (answers) => {
      const skipped = new SkippedEntries()
      const last = new Map<ServiceList, number>()
      for (const { list, unreadable } of answers) {
        expect(skipped.note(list, { entries: ['kept'], unreadable })).toEqual({
          entries: ['kept'],
          unreadable,
        })
        last.set(list, unreadable)
      }
      const sum = [...last.values()].reduce((one, other) => one + other, 0)
      expect(skipped.notices()).toHaveLength(sum === 0 ? 0 : 1)
      if (sum > 0) expect(inWords(skipped)[0]).toMatch(new RegExp(`^${String(sum)} `))
    }),
  )
})

it('counts the entries of a list that the service spoiled', async () => {
  const { service } = scripted([
    {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { data: [{ id: 'maker/picture', type: 'image' }, {}, null] },
    },
  ])
  const skipped = new SkippedEntries()
  expect(await createPlaintextListings(service, skipped, () => 0).media.all()).toHaveLength(1)
  expect(inWords(skipped)).toEqual([
    '2 entries of the service’s lists can’t be read and aren’t shown. Image and video models: 2.',
  ])
})

it('reaches the status of a running core, and returns after its dismissal only if the count changes', async () => {
  let spoiled = [{}]
  const spoiling =
    (fetch: Fetch): Fetch =>
    async (url, init) => {
      const answer = await fetch(url, init)
      if (new URL(url).pathname !== '/v1/models' || answer.status !== 200) return answer
      const pieces = await Array.fromAsync(answer.body ?? [])
      const listing = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { data: unknown[] }
      async function* body(): AsyncGenerator<Uint8Array, void> {
        await Promise.resolve()
        yield Buffer.from(JSON.stringify({ ...listing, data: [...listing.data, ...spoiled] }))
      }
      return { ...answer, headers: new Headers({ 'content-type': 'application/json' }), body: body() }
    }
  await using world = await startWorld({ fetch: spoiling })
  const notices = async (): Promise<{ id: string }[]> =>
    ((await world.call('app/status')) as { notices: { id: string }[] }).notices.filter(({ id }) =>
      id.startsWith('entries-skipped'),
    )
  await world.call('models/list')
  expect(await notices()).toEqual([
    expect.objectContaining({ id: 'entries-skipped-models-1', lasting: false }),
  ])
  await world.call('app/acknowledge', { noticeId: 'entries-skipped-models-1' })
  expect(await notices()).toEqual([])
  spoiled = [{}, {}]
  world.clock.ahead += 6 * 60_000
  await world.call('models/list')
  expect(await notices()).toEqual([expect.objectContaining({ id: 'entries-skipped-models-2' })])
})
