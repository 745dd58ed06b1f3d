import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { TopupMethod } from '../../../../shared/topup.ts'
import { currentScope, type Scope } from '../../../data/service-scope.tsx'
import { loadAnswer, readScopedState, setScopedState, type ScopedState } from '../../../data/use-answer.ts'
import { asFailure } from '../../../ui/failure.ts'
import { go } from '../../../ui/route.ts'
import { accountsQuestion } from '../accounts/account-store.ts'
import { chooseMethod, findOpenInvoice, sortMethods, type TopupChoice } from './topup-choice.ts'
import { createTopup, methodsQuestion, topupList } from './topup-store.ts'

/** What the page for adding funds shows. */
interface AddFundsState {
  /** Null until something is chosen here. */
  readonly choice: TopupChoice | null
  /** The ID of the top-up whose invoice is shown. */
  readonly shown?: string
  readonly busy: boolean
  readonly failure?: Failure
}

export const addFundsState: ScopedState<AddFundsState> = {
  key: ['add-funds'],
  initial: { choice: null, busy: false },
}

/** Opens the page with an invoice at once: Lightning, and the usual amount. Nothing is charged until it's paid. */
export async function startAddingFunds(): Promise<void> {
  const scope = currentScope()
  go({ view: 'wallet', part: 'add' })
  const { choice, shown, busy } = readScopedState(scope, addFundsState)
  if (busy || (choice && shown !== undefined)) return
  let methods: readonly TopupMethod[]
  try {
    methods = sortMethods(await loadAnswer(scope, methodsQuestion))
  } catch {
    // The page shows that the methods can't be loaded.
    return
  }
  const [first] = methods
  if (first && currentScope() === scope) await choose(chooseMethod(first))
}

/** Shows the invoice of a choice: an open one for the same amount, or else a new one. */
export async function choose(choice: TopupChoice): Promise<void> {
  const scope = currentScope()
  const before = readScopedState(scope, addFundsState)
  if (before.busy && isSame(before.choice, choice)) return
  const { method, amount, currency } = choice
  if (amount === undefined || currency === undefined) {
    setScopedState(scope, addFundsState, () => ({ choice, busy: false }))
    return
  }
  setScopedState(scope, addFundsState, () => ({ choice, busy: true }))
  // The answer to an earlier choice isn't shown.
  const show = (result: Pick<AddFundsState, 'shown' | 'failure'>) =>
    setScopedState(scope, addFundsState, (state) =>
      state.choice === choice ? { choice, busy: false, ...result } : state,
    )
  try {
    const open = await findOpen(scope, choice)
    // Another service or account came into use: an invoice there isn't the chosen one.
    if (currentScope() !== scope) return
    show({ shown: open?.id ?? (await createTopup({ method, amount, currency })).id })
  } catch (thrown) {
    show({ failure: asFailure(thrown) })
  }
}

async function findOpen(scope: Scope, choice: TopupChoice) {
  const accounts = await loadAnswer(scope, accountsQuestion)
  const topups = readScopedState(scope, topupList.state).items ?? []
  return findOpenInvoice(topups, choice, accounts.find(({ active }) => active)?.id, Date.now())
}

function isSame(a: TopupChoice | null, b: TopupChoice): boolean {
  return a?.method === b.method && a.amount === b.amount && a.currency === b.currency
}
