import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createStore } from '../../../src/core/storage/index.ts'
import type { Receipt } from '../../../src/shared/receipt.ts'
import { KEY, receipt } from './examples.ts'

const put = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  at: fc.constantFrom(-0.5, 1, 1.5, 2, 3),
  keyId: fc.constantFrom('k', 'l', undefined),
  model: fc.string(),
  flushes: fc.boolean(),
})

/** Ever the latest of each id, at the place in the order of puts that its first one took. */
function modelled(receipts: Iterable<Receipt>): Receipt[] {
  return [...new Map([...receipts].map((each) => [each.id, each])).values()]
}
const moment = ({ at }: Receipt) => Math.trunc(at)
const oldestFirst = (receipts: readonly Receipt[]) => receipts.toSorted((a, b) => moment(a) - moment(b))
const newestFirst = (receipts: readonly Receipt[]) => oldestFirst(receipts).toReversed()

it.each([1, 20])(
  'whatever is put, %i times over, and whenever it is written, reads back as the latest of each id',
  (times) => {
    fc.assert(
      fc.property(fc.array(put, { maxLength: 12 }), (puts) => {
        const store = createStore({ folder: null, key: KEY, now: Date.now })
        const all: Receipt[] = []
        for (let round = 0; round < times; round += 1) {
          for (const { id, at, keyId, model, flushes } of puts) {
            const each = receipt(`${id}${String(round % 10)}`, {
              at,
              model: `${model}${String(round)}`,
              caller: { kind: 'proxy', ...(keyId !== undefined && { localKeyId: keyId }) },
            })
            all.push(each)
            store.receipts.put(each)
            if (flushes && round % 7 === 0) store.receipts.flush()
          }
        }
        const known = modelled(all)
        expect(store.receipts.list(1_000)).toEqual(newestFirst(known))
        expect(store.receipts.list(3)).toEqual(newestFirst(known).slice(0, 3))
        expect(store.receipts.between(1, 2, 1_000)).toEqual(
          oldestFirst(known).filter((each) => moment(each) >= 1 && moment(each) <= 2),
        )
        const ofKey = (keyId?: string) =>
          store.receipts
            .listOfKeys({ ...(keyId !== undefined && { keyId }), limit: 1_000 })
            .map(({ receipt: each }) => each)
        expect(ofKey()).toEqual(newestFirst(known).filter(({ caller }) => caller.localKeyId !== undefined))
        expect(ofKey('k')).toEqual(newestFirst(known).filter(({ caller }) => caller.localKeyId === 'k'))
        for (const each of known) expect(store.receipts.get(each.id)).toEqual(each)
        store.close()
      }),
      { numRuns: 40 },
    )
  },
)
