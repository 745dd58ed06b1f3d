import { attachmentScreens } from './attachment-screens.ts'
import { connectedWindowScreens } from './connected-window-screens.ts'
import { consentScreens } from './consent-screens.ts'
import { dataScreens } from './data-screens.ts'
import { embeddingScreens } from './embedding-screens.ts'
import { historyScreens } from './history-screens.ts'
import { keyScreens } from './key-screens.ts'
import { libraryScreens } from './library-screens.ts'
import { localApiScreens } from './local-api-screens.ts'
import { modelScreens } from './model-screens.ts'
import { privacyScreens } from './privacy-screens.ts'
import { projectScreens } from './project-screens.ts'
import { promptScreens, voiceScreens } from './prompt-screens.ts'
import { desktopScreens, vaultScreens } from './vault-screens.ts'
import { purchaseScreens } from './purchase-screens.ts'
import type { ScreenGroup } from './screen.ts'
import type { MockTeam } from '../mock-team.ts'
import { signInScreens, teamScreens } from './team-screens.ts'
import { toolScreens } from './tool-screens.ts'
import { updateScreens } from './update-screens.ts'
import { mediaScreens } from './studio-media-screens.ts'
import { studioScreens } from './studio-screens.ts'
import { walletConnectionScreens } from './wallet-connection-screens.ts'
import { walletScreens } from './wallet-screens.ts'
import { windowScreens } from './window-screens.ts'

/** Every list of screens that the page tests go through: what is added to one is also looked at. */
export const groups: readonly ScreenGroup[] = [
  windowScreens,
  vaultScreens,
  desktopScreens,
  connectedWindowScreens,
  updateScreens,
  consentScreens,
  libraryScreens,
  attachmentScreens,
  promptScreens,
  projectScreens,
  toolScreens,
  voiceScreens,
  modelScreens,
  privacyScreens,
  localApiScreens,
  walletScreens,
  walletConnectionScreens,
  purchaseScreens,
  keyScreens,
  historyScreens,
  dataScreens,
  embeddingScreens,
  studioScreens,
  mediaScreens,
]

/** The screens of the page for a team. */
export const teamGroups: readonly ScreenGroup<MockTeam>[] = [signInScreens, teamScreens]
