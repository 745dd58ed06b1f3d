import { SottoError } from '../../../shared/errors.ts'
import type { Model } from '../../../shared/model.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { msg } from '../../../shared/localized-text.ts'
import { FIRST_FAMILY_MODEL } from '../../../shared/audio-limits.ts'
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

/**
 * A request that may be sent: the service may read its model, and its body is written from the parsed value.
 */
export interface RequestPlan {
  readonly request: PassedRequest
  readonly estimate: MaybeEstimate
  /** The estimate isn't the service's own count, so it's never used as the cost. */
  readonly estimated?: true
  /** Reads the cost from a whole JSON answer. Throws if it isn't JSON. */
  readonly parseUsage: (answer: string) => ReportedUsage
}

export interface ReportedUsage {
  readonly usage?: TokenUsage | undefined
  /** Pico-USD, as the answer states it. */
  readonly cost?: bigint | undefined
  /** Pico-USD, by the price list. */
  readonly listed?: bigint | undefined
}

/**
 * Returns the subject of a request: its model, or `data/…` for a call of a data endpoint; empty if the
 * service selects the model. A local key's limits are compared with it.
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

/** Returns the model that a request names; undefined if it names none. */
export function modelIn(ask: PlaintextAsk): string | undefined {
  return ask.endpoint === 'data' ? undefined : subjectOf(ask) || undefined
}

/** Returns the request with another model. @param ask names a model */
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
    // Revision A has no listing of audio.
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

/**
 * Refuses a request that names a private model in any way. Fetches nothing.
 * @throws {SottoError} privacy/path; request/invalid – a member has more names than are checked
 */
export function refusePrivate(ask: PlaintextAsk): void {
  if (looksPrivate(subjectOf(ask))) throw new SottoError('privacy/path', { param: 'model' })
  if ('body' in ask) refusePrivateNames(ask.body)
  else if ('form' in ask) refusePrivateFields(ask.form)
  else refusePrivateNames(ask.input)
}

/**
 * Plans a request that the service can read.
 * @param allowed the models that the caller may use, from which a refusal names near matches; it names none
 * if this is absent
 * @throws {SottoError} proxy/model-missing, proxy/invalid-request, proxy/path-unknown, model/unknown,
 * privacy/path, request/invalid, service/…
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
        parseUsage: (answer) => reportedTokens(listed, answer),
      }
    }
    case 'images/generations': {
      const listed = await mediaModel('image', named(ask.body), listings, allowed)
      return {
        request: posted({ ...ask.body, model: listed.id }),
        estimate: estimateImagesBody(listed, ask.body),
        parseUsage: reportedCost,
      }
    }
    case 'images/edits': {
      const listed = await mediaModel('image', fieldOf(ask.form, 'model') ?? missing(), listings, allowed)
      return {
        request: uploaded(ask.form),
        estimate: estimateImageForm(listed, ask.form),
        parseUsage: reportedCost,
      }
    }
    case 'videos': {
      const listed = await mediaModel('video', named(ask.body), listings, allowed)
      return {
        request: posted({ ...ask.body, model: listed.id }),
        estimate: estimateVideoBody(listed, ask.body),
        parseUsage: reportedCost,
      }
    }
    case 'audio/speech':
      return {
        request: posted(ask.body),
        estimate: await estimateSpeechBody(ask.body, await speakerOf(ask.body, listings, revision), listings),
        parseUsage: reportsNothing,
      }
    case 'audio/transcriptions': {
      const model = fieldOf(ask.form, 'model')
      if (model !== undefined) await requireListener(model, listings, revision, allowed)
      return {
        request: uploaded(ask.form),
        estimate: await estimateListener(model, ask.durationMs, listings),
        estimated: true,
        parseUsage: reportsNothing,
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
      return { request, estimate: estimateData({ price: entry?.price }), parseUsage: reportsNothing }
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

/** Compares the ID with the listing byte for byte. */
async function plaintextModel(
  listing: ModelListing,
  id: string,
  allowed: AllowedModels | undefined,
): Promise<PlaintextModel> {
  const model = await listing.find(id, allowed)
  if (!PlaintextModel.is(model)) throw new SottoError('privacy/path', { param: 'model' })
  return model
}

/**
 * Finds a model that generates media of this kind. The service may charge for a request before it finds that
 * the model can't.
 */
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

/**
 * Returns the ID of the speech model; undefined if the service selects it, or if the model of this voice
 * isn't known.
 */
async function speakerOf(
  { model }: JsonObject,
  { audio, voices }: PlaintextListings,
  revision: 'A' | 'B',
): Promise<string | undefined> {
  // The only speech model in Revision A (specification, Versioning).
  if (model === undefined) return revision === 'A' ? FIRST_FAMILY_MODEL : undefined
  if (typeof model !== 'string')
    throw new SottoError('proxy/invalid-request', { toolDetail: 'It must be a string.', param: 'model' })
  // The listing of speech models may be incomplete, so an unavailable listing refuses nothing.
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
