import type { ServiceAccount } from '../../../../shared/service-account.ts'
import type { Status } from '../../../../shared/status.ts'
import { currentScope } from '../../../data/service-scope.tsx'
import {
  readAnswer,
  refreshAnswers,
  resetAnswers,
  writeAnswer,
  type Question,
} from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { clearBalance } from '../../../ui/balance-mark.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import type { Credentials } from '../../../ui/service/new-credentials.tsx'
import { refreshStatus, setStatus } from '../../../ui/status-store.ts'

/** The accounts that are saved on this computer. */
export const accountsQuestion: Question<readonly ServiceAccount[]> = {
  key: ['accounts'],
  ask: (context) => api.accounts.list(undefined, context),
}

export function refreshAccounts(): Promise<void> {
  return refreshAnswers(currentScope(), ['accounts'])
}

// Each change below throws what its call throws.

/** Another account may be active. Two accounts without a credit ID share a scope, so the balance is removed here. */
async function showStatus(status: Status): Promise<void> {
  setStatus(status)
  clearBalance()
  await Promise.all([refreshAccounts(), resetAnswers(currentScope(), ['balance'])])
}

/** The caller shows the credentials. The window saves them nowhere else. */
export async function createAccount(
  name: string,
): Promise<{ account: ServiceAccount; credentials: Credentials }> {
  const { status, account, credentials } = await confirmable((signal) =>
    api.accounts.create(name === '' ? undefined : { name }, { signal }),
  )
  await showStatus(status)
  return { account, credentials }
}

export async function connectAccount(input: {
  apiKey: string
  creditId?: string
  name?: string
}): Promise<void> {
  await showStatus(await confirmable((signal) => api.accounts.connect(input, { signal })))
}

export async function activateAccount(accountId: string): Promise<void> {
  await showStatus(await confirmable((signal) => api.accounts.activate({ accountId }, { signal })))
}

export async function disconnectAccount(): Promise<void> {
  await showStatus(await confirmable((signal) => api.accounts.disconnect(undefined, { signal })))
}

export async function forgetAccount(accountId: string): Promise<void> {
  await showStatus(await confirmable((signal) => api.accounts.forget({ accountId }, { signal })))
}

export async function renameAccount(accountId: string, name: string): Promise<void> {
  await api.accounts.rename({ accountId, name })
  // The sidebar shows the name of the account in use.
  await Promise.all([refreshAccounts(), refreshStatus()])
}

export function revealAccount(accountId: string): Promise<Credentials> {
  return confirmable((signal) => api.accounts.reveal({ accountId }, { signal }))
}

/** @returns how many of the accounts are new here */
export async function restoreAccounts(text: string, passphrase: string): Promise<number> {
  const scope = currentScope()
  const before = readAnswer(scope, accountsQuestion)?.length ?? 0
  const accounts = await confirmable((signal) => api.accounts.restore({ text, passphrase }, { signal }))
  writeAnswer(scope, accountsQuestion, () => accounts)
  return Math.max(0, accounts.length - before)
}
