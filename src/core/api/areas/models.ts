import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function modelsArea(core: ApiContext, os: Implementer['models']) {
  return { list: os.list.handler(async () => [...(await core.open().relay.models.all())]) }
}
