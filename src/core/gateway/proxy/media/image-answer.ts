import { asSottoError } from '../../../../shared/errors.ts'
import { toAsyncIterable } from '../../../../shared/byte-buffer.ts'
import { readBytes } from '../../../../shared/limited-body.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/strict-json.ts'
import { EVENT_STREAM, eventText } from '../../dialect/dialect.ts'
import type { PlaintextAnswer } from '../../relay/index.ts'
import { toOpenAiError } from '../errors.ts'
import type { WrittenAnswer } from '../plaintext-answer.ts'
import type { ImageOptions } from './image-options.ts'
import type { FetchImage } from './own-image.ts'
import { encoded, NO_TOKENS, objectIn } from './members.ts'

/** No revision generates more (specification, Limits). Further items of an answer keep their addresses. */
const MOST_IMAGES = 10

export interface ImageWriting {
  readonly options: ImageOptions
  readonly event: 'image_generation.completed' | 'image_edit.completed'
  readonly fetchImage: FetchImage
}

/**
 * Writes an image result with inlined images, or as events. The images are already paid for. If an image
 * can't be fetched, it keeps its address, and `sotto_error` has the reason. An answer without a list of
 * images is passed on unchanged. One image is in memory at a time.
 * @throws the errors of the answer's body
 */
export async function writeImages(answer: PlaintextAnswer, writing: ImageWriting): Promise<WrittenAnswer> {
  const {
    options: { inline, stream },
  } = writing
  if (!inline) return answer
  const { status, contentType, body } = answer
  const bytes = await readBytes(body, Infinity)
  const result = objectIn(bytes)
  const data = result?.['data']
  if (result === undefined || !Array.isArray(data))
    return { status, contentType, contentLength: bytes.byteLength, body: toAsyncIterable(bytes) }
  const images = inlined(data, writing.fetchImage)
  return stream
    ? { status, contentType: EVENT_STREAM, body: encoded(events(result, images, writing)) }
    : { status, contentType: 'application/json', body: encoded(json(result, images)) }
}

interface Inlined {
  readonly item: JsonValue
  /** The media type of the bytes, if the image was fetched. */
  readonly type?: string
}

async function* inlined(data: readonly JsonValue[], fetchImage: FetchImage): AsyncGenerator<Inlined, void> {
  for (const [at, item] of data.entries()) {
    const address =
      at < MOST_IMAGES && isJsonObject(item) && item['b64_json'] === undefined ? item['url'] : undefined
    yield isJsonObject(item) && typeof address === 'string'
      ? await inlineImage(item, address, fetchImage)
      : { item }
  }
}

async function inlineImage(item: JsonObject, address: string, fetchImage: FetchImage): Promise<Inlined> {
  try {
    const { type, bytes } = await fetchImage(address)
    return {
      item: {
        ...item,
        content_type: type,
        b64_json: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
      },
      type,
    }
  } catch (thrown) {
    const { message, code, type } = toOpenAiError(asSottoError(thrown)).error
    return { item: { ...item, sotto_error: { message, code, type } } }
  }
}

async function* json(
  { data: _data, ...rest }: JsonObject,
  images: AsyncIterable<Inlined>,
): AsyncGenerator<string, void> {
  const members = JSON.stringify(rest).slice(1, -1)
  let separator = `{${members}${members === '' ? '' : ','}"data":[`
  for await (const { item } of images) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  yield `${separator === ',' ? '' : separator}]}`
}

/**
 * Yields each image as the event that completes it. Other members of the service's item remain, such as its
 * address.
 */
async function* events(
  result: JsonObject,
  images: AsyncIterable<Inlined>,
  { options: { asked }, event }: ImageWriting,
): AsyncGenerator<string, void> {
  const { created } = result
  for await (const { item, type } of images) {
    if (!isJsonObject(item)) continue
    yield eventText(event, {
      ...item,
      type: event,
      created_at: created ?? null,
      ...asked,
      output_format: type?.slice('image/'.length) ?? 'png',
      usage: NO_TOKENS,
    })
  }
}
