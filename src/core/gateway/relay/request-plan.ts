import { SottoError } from '../../../shared/errors.ts'
import type { Model } from '../../../shared/model.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { msg } from '../../../shared/localized-text.ts'
import { FIRST_FAMILY_MODEL } from '../../../shared/spoken-limits.ts'
import type { AllowedModels } from '../../../shared/model-pattern.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'
import { estimateData, type MaybeEstimate } from '../pricing/index.ts'
import { multipartBody } from '../service/http/multipart.ts'
import { jsonBody } from '../service/http/perform.ts'
import { dataEndpointsOf } from '../service/inference/data-endpoints.ts'
import type { PassedRequest } from '../service/inference/pass-through.ts'
import { PlaintextModel, type ModelListing } from './model-listing.ts'
import {
  estimateEmbeddingsBody,
  estimateImageForm,
  estimateImagesBody,
  estimateListener,
  estimateSpeechBody,
  estimateVideoBody,
} from './plaintext-estimates.ts'
import { dataId, type PlaintextListings } from './plaintext-listings.ts'
import type { PlaintextAsk, PlaintextForm } from './plaintext-request.ts'
import { reportedCost, reportsNothing, reportedTokens } from './reported-usage.ts'
import { isPlainName, looksPrivate, refusePrivateFields, refusePrivateNames } from './private-name.ts'
import { unknownModel } from './unknown-model.ts'

/** A request that may leave: its model is one that the service reads, and its body is written again from the parsed value. */
export interface RequestPlan {
  readonly request: PassedRequest
  readonly estimate: MaybeEstimate
  /** It is not the service's own count, so that it is never taken for what was charged. */
  readonly estimated?: true
  /** What a whole answer in JSON says of its cost. Throws where it is none. */
  readonly said: (answer: string) => ReportedUsage
}

export interface ReportedUsage {
  readonly usage?: TokenUsage | undefined
  /** Pico-USD, as the answer states it. */
  readonly cost?: bigint | undefined
  /** Pico-USD, by the price list. */
  readonly listed?: bigint | undefined
}

/**
 * The name by which a request is known: its model, or `data/…` for a call of a data endpoint; empty where it leaves the
 * model to the service. Limits of a local key are compared with it.
 */
export function subjectOf(ask: PlaintextAsk): string {
  switch (ask.endpoint) {
    case 'data':
      return `data${ask.path}`
    case 'images/edits':
    case 'audio/transcriptions':
      return fieldOf(ask.form, 'model') ?? ''
    default:
      return typeof ask.body['model'] === 'string' ? ask.body['model'] : ''
  }
}

/** The model that a request names; undefined if it names none. */
export function modelIn(ask: PlaintextAsk): string | undefined {
  return ask.endpoint === 'data' ? undefined : subjectOf(ask) || undefined
}

/** The same request for another model. @param ask names a model */
export function withModel(ask: PlaintextAsk, model: string): PlaintextAsk {
  if ('body' in ask) return { ...ask, body: { ...ask.body, model } }
  if ('form' in ask)
    return {
      ...ask,
      form: {
        ...ask.form,
        fields: ask.form.fields.map(([name, value]) => [name, name === 'model' ? model : value]),
      },
    }
  return ask
}

/** Whether the service lists a model of this ID for such a request. @throws {SottoError} service/… */
export async function listsModel(
  ask: PlaintextAsk,
  id: string,
  listings: PlaintextListings,
  revision: 'A' | 'B',
): Promise<boolean> {
  const isIn = async (listing: ModelListing): Promise<boolean> =>
    (await listing.all()).some((model) => model.id === id)
  switch (ask.endpoint) {
    case 'embeddings':
      return isIn(listings.embedding)
    case 'images/generations':
    case 'images/edits':
    case 'videos':
      return isIn(listings.media)
    // Revision A lists nothing of audio.
    case 'audio/speech':
      return (
        revision === 'B' &&
        ((await listings.audio.find(id)) ?? (await listings.voices.find(id))) !== undefined
      )
    case 'audio/transcriptions':
      return revision === 'B' && (await listings.transcription.find(id)) !== undefined
    case 'data':
      return false
  }
}

/** Throws privacy/path where a private model is named in any way, and request/invalid where more names stand in one place than are looked at. Nothing is looked up for that. */
export function refusePrivate(ask: PlaintextAsk): void {
  if (looksPrivate(subjectOf(ask))) throw new SottoError('privacy/path', { param: 'model' })
  if ('body' in ask) refusePrivateNames(ask.body)
  else if ('form' in ask) refusePrivateFields(ask.form)
  else refusePrivateNames(ask.input)
}

/**
 * Plans a request that the service can read.
 *
 * @param allowed the models that the caller may use, of which a refusal names near matches; it names none if this is absent
 * @throws {SottoError} proxy/model-missing, proxy/invalid-request, proxy/path-unknown, model/unknown, privacy/path, request/invalid, service/…
 */
export async function planOf(
  ask: PlaintextAsk,
  listings: PlaintextListings,
  revision: 'A' | 'B',
  allowed?: AllowedModels,
): Promise<RequestPlan> {
  switch (ask.endpoint) {
    case 'embeddings': {
      const { listed } = await plaintextModel(listings.embedding, named(ask.body), allowed)
      return {
        request: posted({ ...ask.body, model: listed.id }),
        estimate: estimateEmbeddingsBody(listed, ask.body),
        said: (answer) => reportedTokens(listed, answer),
      }
    }
    case 'images/generations': {
      const listed = await mediaModel('image', named(ask.body), listings, allowed)
      return {
        request: posted({ ...ask.body, model: listed.id }),
        estimate: estimateImagesBody(listed, ask.body),
        said: reportedCost,
      }
    }
    case 'images/edits': {
      const listed = await mediaModel('image', fieldOf(ask.form, 'model') ?? missing(), listings, allowed)
      return {
        request: uploaded(ask.form),
        estimate: estimateImageForm(listed, ask.form),
        said: reportedCost,
      }
    }
    case 'videos': {
      const listed = await mediaModel('video', named(ask.body), listings, allowed)
      return {
        request: posted({ ...ask.body, model: listed.id }),
        estimate: estimateVideoBody(listed, ask.body),
        said: reportedCost,
      }
    }
    case 'audio/speech':
      return {
        request: posted(ask.body),
        estimate: await estimateSpeechBody(ask.body, await speakerOf(ask.body, listings, revision), listings),
        said: reportsNothing,
      }
    case 'audio/transcriptions': {
      const model = fieldOf(ask.form, 'model')
      if (model !== undefined) await requireListener(model, listings, revision, allowed)
      return {
        request: uploaded(ask.form),
        estimate: await estimateListener(model, ask.durationMs, listings),
        estimated: true,
        said: reportsNothing,
      }
    }
    case 'data': {
      const { method, path, input } = ask
      const entry = await listings.data.find(dataId({ method, path }))
      if (
        !entry &&
        !dataEndpointsOf(revision).some((known) => known.path === path && known.method === method)
      )
        throw new SottoError('proxy/path-unknown', {
          detail: msg('The service doesn’t list this data endpoint.'),
        })
      const request: PassedRequest = {
        method,
        below: path,
        ...(method === 'GET' ? { query: queryOf(input) } : { body: jsonBody(input) }),
      }
      return { request, estimate: estimateData({ price: entry?.price }), said: reportsNothing }
    }
  }
}

function posted(body: JsonObject): PassedRequest {
  return { method: 'POST', body: jsonBody(body) }
}

function uploaded({ fields, files }: PlaintextForm): PassedRequest {
  return { method: 'POST', body: multipartBody({ fields, files }) }
}

function named({ model }: JsonObject): string {
  return typeof model === 'string' && model !== '' ? model : missing()
}

function missing(): never {
  throw new SottoError('proxy/model-missing', { param: 'model' })
}

function fieldOf({ fields }: PlaintextForm, name: string): string | undefined {
  return fields.find(([field]) => field === name)?.[1]
}

/** Byte for byte as listed. */
async function plaintextModel(
  listing: ModelListing,
  id: string,
  allowed: AllowedModels | undefined,
): Promise<PlaintextModel> {
  const model = await listing.find(id, allowed)
  if (!PlaintextModel.is(model)) throw new SottoError('privacy/path', { param: 'model' })
  return model
}

/** A model that generates media of this kind. The service may charge for a request before it finds that the model can't. */
async function mediaModel(
  kind: 'image' | 'video',
  id: string,
  { media }: PlaintextListings,
  allowed: AllowedModels | undefined,
): Promise<Model> {
  const { listed } = await plaintextModel(media, id, allowed)
  const other = kind === 'image' ? 'video' : 'image'
  if (listed.type === other)
    throw new SottoError('request/invalid', {
      param: 'model',
      toolDetail: `This model generates a different kind of media: ${other}.`,
    })
  return listed
}

/** The id of the model that speaks; undefined where the service chooses, or where it is not known which model has this voice. */
async function speakerOf(
  { model }: JsonObject,
  { audio, voices }: PlaintextListings,
  revision: 'A' | 'B',
): Promise<string | undefined> {
  // The first family's, and there is no other (specification, Versioning).
  if (model === undefined) return revision === 'A' ? FIRST_FAMILY_MODEL : undefined
  if (typeof model !== 'string')
    throw new SottoError('proxy/invalid-request', { toolDetail: 'It must be a string.', param: 'model' })
  // Nobody says that all that speaks is listed, so that a listing which cannot be had refuses nothing.
  if (await audio.find(model).catch(() => undefined)) return model
  const voice = revision === 'B' ? await voices.find(model).catch(() => undefined) : undefined
  if (!voice && !isPlainName(model)) throw new SottoError('model/unknown', { param: 'model' })
  return voice?.modelId ?? model
}

async function requireListener(
  model: string,
  { transcription }: PlaintextListings,
  revision: 'A' | 'B',
  allowed: AllowedModels | undefined,
): Promise<void> {
  const known = revision === 'A' ? isPlainName(model) : (await transcription.find(model)) !== undefined
  if (!known)
    throw unknownModel(
      model,
      revision === 'A' ? [] : (await transcription.all()).map(({ id }) => id),
      allowed,
    )
}

function queryOf(input: JsonObject): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]): [string, string | number | boolean] => {
      if (!isPlainValue(value))
        throw new SottoError('proxy/invalid-request', {
          toolDetail: 'It must be a string, a number, or a boolean.',
          param: name.slice(0, 60),
        })
      return [name, value]
    }),
  )
}

function isPlainValue(value: JsonValue): value is string | number | boolean {
  return value !== null && !isJsonObject(value) && !Array.isArray(value)
}
