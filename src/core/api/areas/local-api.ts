import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function localApiArea(core: ApiContext, os: Implementer['localApi']) {
  return {
    get: os.get.handler(async () => {
      const { relay, localKey } = core.open()
      const models = await relay.models.all().catch(() => [])
      return { baseUrl: core.proxyBaseUrl(), key: localKey, exampleModel: core.exampleModel(models) }
    }),
  }
}
