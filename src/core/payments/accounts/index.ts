export { accessWithoutAccount, createAccounts, type Accounts } from './accounts.ts'
export { serviceKeysOf, type FoundKey, type ServiceKeys } from './service-keys.ts'
