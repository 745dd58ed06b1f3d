import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { ToolFunction } from './built-in.ts'
import { failedResult, textResult, type ToolResult } from './tool-result.ts'

/** UTF-16 units of a prompt, which a person reads before it's sent. */
const MAX_PROMPT = 4000

/** What one image may cost, with the model for it. */
export interface ImageOffer {
  readonly model: string
  /** The highest cost according to the price list, in pico-USD as decimal text. */
  readonly most: string
}

/** Studio's way to generate images, which create-core.ts passes in. The service can read the prompt. */
export interface ImageMaker {
  /** Sends nothing of the prompt. Null if no price is known. @throws {SottoError} service/… */
  offer(prompt: string): Promise<ImageOffer | null>
  /**
   * Generates the image as a job of Studio, and waits for its end. The job continues if the signal aborts.
   * @returns whether it's done
   * @throws {SottoError} studio/…, service/…, request/canceled
   */
  make(
    image: { readonly prompt: string; readonly conversationId: string } & ImageOffer,
    signal: AbortSignal,
  ): Promise<boolean>
}

/** The tool as it's offered to a model. */
export const imageFunction: ToolFunction = {
  functionName: 'make_image',
  description:
    'Generates an image, which the person finds in Studio. It costs money, and the prompt is sent unencrypted, so the person decides first.',
  parameters: {
    type: 'object',
    properties: { prompt: { type: 'string', maxLength: MAX_PROMPT } },
    required: ['prompt'],
    additionalProperties: false,
  },
}

const promptSchema = z.object({ prompt: z.string().trim().min(1).max(MAX_PROMPT) })

/** The prompt of a call; undefined if it's refused before the person is asked. */
function promptOf(args: JsonObject): string | undefined {
  return promptSchema.safeParse(args).data?.prompt
}

/** The offer for a call. Without a known price, the call is refused before the person is asked. */
export async function offerImage(args: JsonObject, images: ImageMaker): Promise<ImageOffer | undefined> {
  const prompt = promptOf(args)
  if (prompt === undefined) return undefined
  try {
    return (await images.offer(prompt)) ?? undefined
  } catch (thrown) {
    if (thrown instanceof SottoError) return undefined
    throw thrown
  }
}

/** Generates the image for at most the cost that the person allowed. A refusal is a failed result. */
export async function runImage(
  args: JsonObject,
  {
    images,
    conversationId,
    offer,
    signal,
  }: {
    readonly images: ImageMaker
    readonly conversationId: string
    readonly offer: ImageOffer | undefined
    readonly signal: AbortSignal
  },
): Promise<ToolResult> {
  const prompt = promptOf(args)
  if (prompt === undefined || !offer) return failedResult('The image has no known price.')
  try {
    const done = await images.make({ prompt, conversationId, ...offer }, signal)
    return done
      ? textResult('The image is in Studio, where the person sees it.')
      : failedResult('The image wasn’t generated. Studio shows why.')
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code === 'request/canceled') throw thrown
    return failedResult(`The image was refused (${thrown.code}).`)
  }
}
