import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import type { Status } from '../../../../shared/status.ts'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { asFailure } from '../../../ui/failure.ts'
import type { Credentials } from '../../../ui/service/new-credentials.tsx'
import { onServiceChange, sameService, setStatus } from '../../../ui/status-store.ts'
import { forgetBalance, refreshBalance } from '../balance-store.ts'

interface AccountState {
  /** Undefined until they were asked for. */
  readonly accounts: readonly ServiceAccount[] | undefined
  readonly failure: Failure | undefined
}

const empty: AccountState = { accounts: undefined, failure: undefined }

export const useAccounts = create<AccountState>()(() => empty)

/** Which list is awaited; one that was asked for before it is let go. */
let asked = 0

onServiceChange(() => {
  asked++
  useAccounts.setState(empty)
})

export async function loadAccounts(): Promise<void> {
  const turn = ++asked
  try {
    const accounts = await api.accounts.list()
    if (turn === asked) useAccounts.setState({ accounts, failure: undefined })
  } catch (thrown) {
    if (turn === asked) useAccounts.setState({ failure: asFailure(thrown) })
  }
}

/** Another account may be the active one: what was said of the former's balance is let go. */
async function activeChanged(status: Status): Promise<void> {
  setStatus(status)
  forgetBalance()
  await Promise.all([loadAccounts(), refreshBalance()])
}

/** Its credentials are kept nowhere in this window but where they are shown. Throws what the call throws. */
export async function createAccount(
  name: string,
): Promise<{ account: ServiceAccount; credentials: Credentials }> {
  const { status, account, credentials } = await confirmable((signal) =>
    api.accounts.create(name === '' ? undefined : { name }, { signal }),
  )
  await activeChanged(status)
  return { account, credentials }
}

/** Throws what the call throws. */
export async function connectAccount(input: {
  apiKey: string
  creditId?: string
  name?: string
}): Promise<void> {
  await activeChanged(await confirmable((signal) => api.accounts.connect(input, { signal })))
}

/** Throws what the call throws. */
export async function activateAccount(accountId: string): Promise<void> {
  await activeChanged(await confirmable((signal) => api.accounts.activate({ accountId }, { signal })))
}

/** Throws what the call throws. */
export async function disconnectAccount(): Promise<void> {
  await activeChanged(await confirmable((signal) => api.accounts.disconnect(undefined, { signal })))
}

/** Throws what the call throws. */
export async function forgetAccount(accountId: string): Promise<void> {
  await activeChanged(await confirmable((signal) => api.accounts.forget({ accountId }, { signal })))
}

/** Throws what the call throws. */
export async function renameAccount(accountId: string, name: string): Promise<void> {
  await api.accounts.rename({ accountId, name })
  await loadAccounts()
}

/** Throws what the call throws. */
export function revealAccount(accountId: string): Promise<Credentials> {
  return confirmable((signal) => api.accounts.reveal({ accountId }, { signal }))
}

/** How many were not kept here before. Throws what the call throws. */
export async function restoreAccounts(text: string, passphrase: string): Promise<number> {
  const still = sameService()
  const before = useAccounts.getState().accounts?.length ?? 0
  const accounts = await confirmable((signal) => api.accounts.restore({ text, passphrase }, { signal }))
  if (still()) {
    asked++
    useAccounts.setState({ accounts, failure: undefined })
  }
  return Math.max(0, accounts.length - before)
}
