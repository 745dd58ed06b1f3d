import { listBudgetsLeft, type ProxyBackend } from '../core/gateway/proxy/index.ts'
import type { Database } from './database.ts'
import { listKeysWithAmounts, type KeyWithAmounts } from './local-keys.ts'

const READ_EVERY_MS = 15_000

/** The remaining budgets for `GET /metrics`, which reads them without waiting. */
export interface BudgetWatch extends Disposable {
  readonly budgetsLeft: ProxyBackend['budgetsLeft']
}

/**
 * Reads the amounts of all keys every 15 seconds. Nothing decides by them.
 * @param now Unix ms
 */
export function watchBudgets(database: Pick<Database, 'query'>, now: () => number): BudgetWatch {
  let keys: readonly KeyWithAmounts[] = []
  const read = async (): Promise<void> => {
    try {
      keys = await listKeysWithAmounts(database)
    } catch {
      // The database is away. Old amounts would look current.
      keys = []
    }
  }
  void read()
  const timer = setInterval(() => void read(), READ_EVERY_MS)
  return {
    budgetsLeft: () => {
      const amounts = new Map(keys.map((key) => [key.id, key]))
      return listBudgetsLeft(
        keys,
        (keyId) => {
          const { spent = 0n, reserved = 0n } = amounts.get(keyId) ?? {}
          return { spent, reserved }
        },
        now(),
      )
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
