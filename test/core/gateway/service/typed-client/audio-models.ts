import { requireRevision } from '../../../../../src/core/gateway/service/http/access.ts'
import {
  perform,
  type CallOptions,
  type Service,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import type { Listed } from '../../../../../src/core/gateway/service/http/shapes.ts'
import {
  audioModelsRequest,
  type AudioModel,
} from '../../../../../src/core/gateway/service/inference/audio-models.ts'

export async function listAudioModels(
  service: Service,
  options: CallOptions = {},
): Promise<Listed<AudioModel>> {
  requireRevision(service.access(), 'B')
  return perform(service, audioModelsRequest, options)
}
