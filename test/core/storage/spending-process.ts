// Holds and settles money until it is killed. Prints one line for each request that is on its way: its number.
import { createLimitClock, limitMarksIn, createKeyBudgets } from '../../../src/core/payments/index.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY, receipt } from './examples.ts'

const [folder = '', keyId = ''] = process.argv.slice(2)
const store = createStore({ folder, key: KEY, now: Date.now })
const budgets = createKeyBudgets({
  journal: store.spending,
  limitsOf: (id) => store.localKeys.get(id)?.limits ?? {},
  clock: createLimitClock({ now: () => 0, monotonic: () => 0, marks: limitMarksIn(store.settings) }),
})
for (let sent = 1; ; sent += 1) {
  const reservation = budgets.reserve(keyId, 1_000n)
  process.stdout.write(`${String(sent)}\n`)
  // Every other request ends, at a cost of 1.
  if (sent % 2 === 0) {
    reservation.settle(1n)
    store.receipts.put(receipt(`r-${String(sent)}`))
  }
  if (sent % 10 === 0) await new Promise((resume) => setTimeout(resume, 1))
}
