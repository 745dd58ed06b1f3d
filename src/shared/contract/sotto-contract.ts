import { accountsContract } from './accounts.ts'
import { appContract } from './app.ts'
import { chatContract } from './chat.ts'
import { confirmationsContract } from './confirmations.ts'
import { conversationsContract } from './conversations.ts'
import { localApiContract } from './local-api.ts'
import { modelsContract } from './models.ts'
import { privacyContract } from './privacy.ts'
import { profilesContract } from './profiles.ts'
import { receiptsContract } from './receipts.ts'
import { sandboxContract } from './sandbox.ts'
import { vaultContract } from './vault.ts'

export { chatEventSchema, type ChatEvent } from './chat.ts'
export { failureSchema, type Failure } from './failure.ts'
export { localApiSchema } from './local-api.ts'

/** Everything that the window, or a command, can ask of the core. Each area has its own file beside this one. */
export const contract = {
  app: appContract,
  vault: vaultContract,
  confirmations: confirmationsContract,
  profiles: profilesContract,
  accounts: accountsContract,
  models: modelsContract,
  chat: chatContract,
  conversations: conversationsContract,
  privacy: privacyContract,
  receipts: receiptsContract,
  localApi: localApiContract,
  sandbox: sandboxContract,
}
