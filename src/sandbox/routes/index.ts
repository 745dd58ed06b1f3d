import type { Route } from '../route/route.ts'
import { accountRoutes } from './account.ts'
import { audioRoutes } from './audio.ts'
import { automaticTopupRoutes } from './automatic-topup.ts'
import { chatRoutes } from './chat.ts'
import { dataRoutes } from './data.ts'
import { embeddingRoutes } from './embeddings.ts'
import { historyRoutes } from './history.ts'
import { imageRoutes } from './images.ts'
import { keyRoutes } from './keys.ts'
import { mediaRoutes } from './media.ts'
import { modelRoutes } from './models.ts'
import { topupRoutes } from './topup.ts'
import { videoRoutes } from './videos.ts'

/** Every route of the service but the enclave's own, of both revisions. */
export const routes: readonly Route[] = [
  ...chatRoutes,
  ...modelRoutes,
  ...accountRoutes,
  ...keyRoutes,
  ...topupRoutes,
  ...automaticTopupRoutes,
  ...historyRoutes,
  ...embeddingRoutes,
  ...imageRoutes,
  ...videoRoutes,
  ...audioRoutes,
  ...dataRoutes,
  ...mediaRoutes,
]
