// Charges a doubted cost and corrects it, again and again, until it is killed. Prints the number of each correction before it begins.
import { confirmCost } from '../../../src/core/payments/history/confirm-cost.ts'
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
  const charged = reservation.settle('unknown').toString()
  const doubted = receipt(`r-${String(sent)}`, {
    caller: { kind: 'proxy', localKeyId: keyId },
    charged,
    costDoubted: true,
    chargedDay: reservation.day,
  })
  store.receipts.put(doubted)
  store.receipts.flush()
  process.stdout.write(`${String(sent)}\n`)
  confirmCost({ store, budgets }, { receipt: doubted, record: { at: 1, model: doubted.model, cost: 7n } })
  if (sent % 10 === 0) await new Promise((resume) => setTimeout(resume, 1))
}
