import { attachmentScreens } from '../e2e/screens/attachment-screens.ts'
import { connectedWindowScreens } from '../e2e/screens/connected-window-screens.ts'
import { consentScreens } from '../e2e/screens/consent-screens.ts'
import { dataScreens } from '../e2e/screens/data-screens.ts'
import { embeddingScreens } from '../e2e/screens/embedding-screens.ts'
import { historyScreens } from '../e2e/screens/history-screens.ts'
import { keyScreens } from '../e2e/screens/key-screens.ts'
import { libraryScreens } from '../e2e/screens/library-screens.ts'
import { localApiScreens } from '../e2e/screens/local-api-screens.ts'
import { modelScreens } from '../e2e/screens/model-screens.ts'
import { privacyScreens } from '../e2e/screens/privacy-screens.ts'
import { promptScreens, voiceScreens } from '../e2e/screens/prompt-screens.ts'
import { desktopScreens, vaultScreens } from '../e2e/screens/vault-screens.ts'
import { purchaseScreens } from '../e2e/screens/purchase-screens.ts'
import type { ScreenGroup } from '../e2e/screens/screen.ts'
import { updateScreens } from '../e2e/screens/update-screens.ts'
import { mediaScreens } from '../e2e/screens/studio-media-screens.ts'
import { studioScreens } from '../e2e/screens/studio-screens.ts'
import { walletConnectionScreens } from '../e2e/screens/wallet-connection-screens.ts'
import { walletScreens } from '../e2e/screens/wallet-screens.ts'
import { windowScreens } from '../e2e/screens/window-screens.ts'

/** Every list of screens that the page tests go through: what is added to one is also looked at. */
export const groups: readonly ScreenGroup[] = [
  windowScreens, vaultScreens, desktopScreens, connectedWindowScreens, updateScreens, consentScreens, libraryScreens, attachmentScreens, promptScreens, voiceScreens, modelScreens, privacyScreens, localApiScreens, walletScreens, walletConnectionScreens, purchaseScreens, keyScreens, historyScreens, dataScreens, embeddingScreens, studioScreens, mediaScreens,
]
