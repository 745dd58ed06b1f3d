import type { Route } from '../route/route.ts'
import { accountRoutes } from './account.ts'
import { chatRoutes } from './chat.ts'
import { modelRoutes } from './models.ts'

/** Every route of the service but the enclave's own, of both revisions. */
export const routes: readonly Route[] = [...chatRoutes, ...modelRoutes, ...accountRoutes]
