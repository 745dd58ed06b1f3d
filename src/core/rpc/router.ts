import { accountsArea } from '../payments/accounts/rpc.ts'
import { appArea } from '../app/rpc.ts'
import { attachmentsArea } from '../conversations/rpc.ts'
import { chatArea } from '../conversations/rpc.ts'
import { confirmationsArea } from '../app/rpc.ts'
import { consentsArea } from '../conversations/rpc.ts'
import { conversationsArea } from '../conversations/rpc.ts'
import { desktopArea } from '../app/rpc.ts'
import { diagnosticsArea } from '../app/rpc.ts'
import { foldersArea } from '../conversations/rpc.ts'
import { documentsArea } from '../conversations/rpc.ts'
import { draftsArea } from '../conversations/rpc.ts'
import { historyArea } from '../payments/rpc.ts'
import { knowledgeArea } from '../knowledge/rpc.ts'
import { libraryArea } from '../conversations/rpc.ts'
import { localApiArea } from '../gateway/rpc.ts'
import { modelsArea } from '../gateway/rpc.ts'
import { privacyArea } from '../gateway/privacy-rpc.ts'
import { profilesArea } from '../app/rpc.ts'
import { projectsArea } from '../projects/rpc.ts'
import { promptsArea } from '../conversations/rpc.ts'
import { purchasesArea } from '../payments/rpc.ts'
import { receiptsArea } from '../gateway/rpc.ts'
import { sandboxArea } from '../app/rpc.ts'
import { serviceEnclaveArea } from '../gateway/service-enclave-rpc.ts'
import { serviceKeysArea } from '../payments/accounts/rpc.ts'
import { studioArea } from '../jobs/rpc.ts'
import { toolsArea } from '../tools/rpc.ts'
import { topupsArea } from '../payments/rpc.ts'
import { vaultArea } from '../storage/vault/rpc.ts'
import { voiceArea } from '../conversations/rpc.ts'
import { walletArea } from '../payments/rpc.ts'
import { windowsArea } from '../app/rpc.ts'
import type { ApiContext } from './context.ts'
import { createImplementer } from './implementer.ts'

/** Creates the router with the handlers of all domains. */
export function createRouter(core: ApiContext) {
  const os = createImplementer()
  return os.router({
    app: appArea(core, os.app),
    vault: vaultArea(core, os.vault),
    confirmations: confirmationsArea(core, os.confirmations),
    profiles: profilesArea(core, os.profiles),
    accounts: accountsArea(core, os.accounts),
    models: modelsArea(core, os.models),
    chat: chatArea(core, os.chat),
    conversations: conversationsArea(core, os.conversations),
    attachments: attachmentsArea(core, os.attachments),
    drafts: draftsArea(core, os.drafts),
    documents: documentsArea(core, os.documents),
    consents: consentsArea(core, os.consents),
    folders: foldersArea(core, os.folders),
    projects: projectsArea(core, os.projects),
    prompts: promptsArea(core, os.prompts),
    library: libraryArea(core, os.library),
    knowledge: knowledgeArea(core, os.knowledge),
    privacy: privacyArea(core, os.privacy),
    serviceEnclave: serviceEnclaveArea(core, os.serviceEnclave),
    receipts: receiptsArea(core, os.receipts),
    localApi: localApiArea(core, os.localApi),
    voice: voiceArea(core, os.voice),
    wallet: walletArea(core, os.wallet),
    tools: toolsArea(core, os.tools),
    topups: topupsArea(core, os.topups),
    purchases: purchasesArea(core, os.purchases),
    studio: studioArea(core, os.studio),
    serviceKeys: serviceKeysArea(core, os.serviceKeys),
    desktop: desktopArea(core, os.desktop),
    diagnostics: diagnosticsArea(core, os.diagnostics),
    history: historyArea(core, os.history),
    sandbox: sandboxArea(core, os.sandbox),
    windows: windowsArea(core, os.windows),
  })
}
