import { accountsArea } from './areas/accounts.ts'
import { appArea } from './areas/app.ts'
import { attachmentsArea } from './areas/attachments.ts'
import { chatArea } from './areas/chat.ts'
import { confirmationsArea } from './areas/confirmations.ts'
import { consentsArea } from './areas/consents.ts'
import { conversationsArea } from './areas/conversations.ts'
import { desktopArea } from './areas/desktop.ts'
import { diagnosticsArea } from './areas/diagnostics.ts'
import { foldersArea } from './areas/folders.ts'
import { documentsArea } from './areas/documents.ts'
import { draftsArea } from './areas/drafts.ts'
import { historyArea } from './areas/history.ts'
import { libraryArea } from './areas/library.ts'
import { localApiArea } from './areas/local-api.ts'
import { modelsArea } from './areas/models.ts'
import { privacyArea } from './areas/privacy.ts'
import { profilesArea } from './areas/profiles.ts'
import { promptsArea } from './areas/prompts.ts'
import { purchasesArea } from './areas/purchases.ts'
import { receiptsArea } from './areas/receipts.ts'
import { sandboxArea } from './areas/sandbox.ts'
import { serviceEnclaveArea } from './areas/service-enclave.ts'
import { serviceKeysArea } from './areas/service-keys.ts'
import { studioArea } from './areas/studio.ts'
import { topupsArea } from './areas/topups.ts'
import { vaultArea } from './areas/vault.ts'
import { voiceArea } from './areas/voice.ts'
import { walletArea } from './areas/wallet.ts'
import { windowsArea } from './areas/windows.ts'
import type { ApiContext } from './context.ts'
import { createImplementer } from './implementer.ts'

/** The contract, answered. Each area is thin: the parts do the work. */
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
    prompts: promptsArea(core, os.prompts),
    library: libraryArea(core, os.library),
    privacy: privacyArea(core, os.privacy),
    serviceEnclave: serviceEnclaveArea(core, os.serviceEnclave),
    receipts: receiptsArea(core, os.receipts),
    localApi: localApiArea(core, os.localApi),
    voice: voiceArea(core, os.voice),
    wallet: walletArea(core, os.wallet),
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
