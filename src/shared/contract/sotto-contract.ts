import { accountsContract } from './accounts.ts'
import { attachmentsContract, draftsContract } from './attachments.ts'
import { documentsContract } from './documents.ts'
import { appContract, confirmationsContract, diagnosticsContract, profilesContract } from './app.ts'
import { chatContract } from './chat.ts'
import { consentsContract } from './consents.ts'
import { conversationsContract } from './conversations.ts'
import { desktopContract, windowsContract } from './desktop.ts'
import { historyContract, receiptsContract } from './history.ts'
import { knowledgeContract } from './knowledge.ts'
import { libraryContract } from './library.ts'
import { localApiContract } from './local-api.ts'
import { modelsContract } from './models.ts'
import { projectsContract } from './projects.ts'
import { foldersContract, promptsContract } from './prompts.ts'
import { privacyContract } from './privacy.ts'
import { serviceEnclaveContract } from './service-enclave.ts'
import { purchasesContract } from './purchases.ts'
import { sandboxContract } from './sandbox.ts'
import { serviceKeysContract } from './service-keys.ts'
import { studioContract } from './studio.ts'
import { toolsContract } from './tools.ts'
import { topupsContract } from './topups.ts'
import { vaultContract } from './vault.ts'
import { voiceContract } from './voice.ts'
import { walletContract } from './wallet.ts'

export type { ChatEvent, ConversationBeginning } from './chat.ts'
export type { Removal } from './conversations.ts'
export type { Reading, VoicePrices } from './voice.ts'
export type { Failure } from './failure.ts'
export type { LocalApiEvent } from './local-api.ts'

/**
 * Everything that the window or a command can request from the core. Each domain has its own file in this
 * folder.
 */
export const contract = {
  app: appContract,
  vault: vaultContract,
  confirmations: confirmationsContract,
  profiles: profilesContract,
  accounts: accountsContract,
  models: modelsContract,
  chat: chatContract,
  conversations: conversationsContract,
  attachments: attachmentsContract,
  drafts: draftsContract,
  documents: documentsContract,
  consents: consentsContract,
  folders: foldersContract,
  projects: projectsContract,
  prompts: promptsContract,
  library: libraryContract,
  knowledge: knowledgeContract,
  privacy: privacyContract,
  serviceEnclave: serviceEnclaveContract,
  receipts: receiptsContract,
  localApi: localApiContract,
  voice: voiceContract,
  wallet: walletContract,
  tools: toolsContract,
  topups: topupsContract,
  purchases: purchasesContract,
  studio: studioContract,
  serviceKeys: serviceKeysContract,
  desktop: desktopContract,
  diagnostics: diagnosticsContract,
  history: historyContract,
  sandbox: sandboxContract,
  windows: windowsContract,
}
