import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { ServiceAccount } from '../../src/shared/service-account.ts'
import type { Status } from '../../src/shared/status.ts'

/** Credentials of a mock account at the service. */
export const MOCK_SERVICE_KEY = 'sk-aAbBcCdDeEfFgGhHiIjJ77'
export const MOCK_CREDIT_ID = '00000000-0000-4000-8000-0000000077aa'
export const MOCK_BACKUP = '{"header":{"format":"sotto-accounts/1"},"sealed":"bW9jaw=="}'

interface Credentials {
  readonly apiKey?: string | undefined
  readonly creditId?: string | undefined
}

export interface MockAccount {
  account: ServiceAccount
  credentials: Credentials
}

/** The accounts of the mock core. A test changes them. */
export interface MockAccounts {
  list: MockAccount[]
  /** Pico-USD of the active account. */
  balance: string
  /** The credentials that the service returns for a new account. */
  created: Credentials
  /** The passphrase and the content of MOCK_BACKUP. */
  backup: { passphrase: string; holds: MockAccount[] }
}

export function mockAccount(
  id: string,
  part: Partial<ServiceAccount> = {},
  credentials: Credentials = { apiKey: MOCK_SERVICE_KEY, creditId: MOCK_CREDIT_ID },
): MockAccount {
  const { apiKey, creditId } = credentials
  return {
    account: {
      id,
      name: 'Account',
      active: false,
      ...(apiKey !== undefined && { keyMasked: `sk-…${apiKey.slice(-4)}` }),
      ...(creditId !== undefined && { creditIdMasked: `…${creditId.slice(-4)}` }),
      addedAt: Date.now(),
      saved: false,
      ...part,
    },
    credentials,
  }
}

/** The only account, which the sandbox created for itself. */
export function mockAccounts(): MockAccounts {
  const first = { apiKey: 'sk-kKlLmMnNoOpPqQrRsStT11', creditId: '00000000-0000-4000-8000-00000000c41f' }
  return {
    list: [mockAccount('a1', { active: true }, first)],
    balance: '4210000000000',
    created: { apiKey: MOCK_SERVICE_KEY, creditId: MOCK_CREDIT_ID },
    backup: { passphrase: 'correct horse battery staple', holds: [] },
  }
}

function present({ apiKey, creditId }: Credentials): { apiKey?: string; creditId?: string } {
  return { ...(apiKey !== undefined && { apiKey }), ...(creditId !== undefined && { creditId }) }
}

interface Around {
  readonly state: { status: Status; accounts: MockAccounts }
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
}

/** The account procedures of the mock core, without a vault or a service. */
export function createMockAccounts({ state, refuse, confirm }: Around) {
  let count = 0
  const real = () => state.status.service.kind === 'service'
  const find = (accountId: string): MockAccount =>
    state.accounts.list.find(({ account }) => account.id === accountId) ?? refuse('account/unknown')
  const list = () => state.accounts.list.map(({ account }) => account)
  /** Activates no account if there is no ID. */
  function activate(id?: string): Status {
    for (const { account } of state.accounts.list) account.active = account.id === id
    const active = list().find((account) => account.active)
    state.status = {
      ...state.status,
      account: active
        ? {
            connected: true,
            ...(active.creditIdMasked !== undefined && { creditIdMasked: active.creditIdMasked }),
          }
        : { connected: false },
    }
    return state.status
  }
  function keep(name: string | undefined, credentials: Credentials): MockAccount {
    const added = mockAccount(
      `made-${String((count += 1))}`,
      { name: name ?? (list().length === 0 ? 'Account' : `Account ${String(list().length + 1)}`) },
      credentials,
    )
    state.accounts.list.push(added)
    activate(added.account.id)
    return added
  }
  /**
   * Asks for confirmation like the core, because the user could top up a planted account of another person.
   */
  async function mayAdd(question: string, signal: AbortSignal | undefined): Promise<void> {
    if (real() && state.accounts.list.length > 0) await confirm(question, signal)
  }

  return {
    list,
    async connect(
      { name, ...credentials }: Credentials & { name?: string | undefined },
      signal: AbortSignal | undefined,
    ): Promise<Status> {
      await mayAdd('Connect another account.', signal)
      if (state.accounts.list.some((each) => each.credentials.apiKey === credentials.apiKey))
        refuse('account/already-exists')
      keep(name, credentials)
      return state.status
    },
    async create(name: string | undefined, signal: AbortSignal | undefined) {
      await mayAdd('Make another account.', signal)
      const { account, credentials } = keep(name, state.accounts.created)
      return { status: state.status, account: { ...account }, credentials: present(credentials) }
    },
    activate: (accountId: string) => activate(find(accountId).account.id),
    rename: (accountId: string, name: string) => Object.assign(find(accountId).account, { name }),
    markSaved: (accountId: string) => Object.assign(find(accountId).account, { saved: true }),
    disconnect: () => activate(),
    async forget(accountId: string, signal: AbortSignal | undefined): Promise<Status> {
      const { account } = find(accountId)
      if (real()) await confirm(`Forget the account “${account.name}”.`, signal)
      state.accounts.list = state.accounts.list.filter((each) => each.account !== account)
      return account.active ? activate() : state.status
    },
    async reveal(accountId: string, signal: AbortSignal | undefined) {
      const {
        account,
        credentials: { apiKey, creditId },
      } = find(accountId)
      await confirm(`Show the credentials of the account “${account.name}”.`, signal)
      return present({ apiKey, creditId })
    },
    async backup(signal: AbortSignal | undefined) {
      await confirm('Save all accounts in one encrypted file.', signal)
      for (const { account } of state.accounts.list) account.saved = true
      return { fileName: 'sotto-accounts-2026-11-22.json', text: MOCK_BACKUP }
    },
    async restore(text: string, passphrase: string, signal: AbortSignal | undefined) {
      if (text !== MOCK_BACKUP) refuse('account/backup-invalid')
      if (passphrase !== state.accounts.backup.passphrase) refuse('account/backup-passphrase')
      await mayAdd('Add the accounts of a backup.', signal)
      const added = state.accounts.backup.holds.filter(
        ({ credentials }) =>
          !state.accounts.list.some((each) => each.credentials.apiKey === credentials.apiKey),
      )
      state.accounts.list.push(...added)
      if (!list().some(({ active }) => active)) activate(added[0]?.account.id)
      return list()
    },
    balance: () =>
      list().some(({ active }) => active) || state.status.account.connected
        ? { picoUsd: state.accounts.balance }
        : refuse('service/no-account'),
  }
}
