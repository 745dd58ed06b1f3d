import { z } from 'zod'

/** A file that is handed over: one that was uploaded, one of a former job, or an image that stands somewhere in public. */
export const givenFileSchema = z.union([
  z.strictObject({ uploadId: z.string().min(1).max(64) }),
  z.strictObject({ jobId: z.string().min(1).max(64), index: z.int().min(0) }),
  z.strictObject({ url: z.string().max(8000).regex(/^https:\/\//) }),
])
export type GivenFile = z.infer<typeof givenFileSchema>

/** The same, once the job has it: a file of its own, so that it can be asked for again whatever became of the first. */
export const keptFileSchema = z.union([z.object({ file: z.int().min(0) }), z.object({ url: z.string() })])
export type KeptFile = z.infer<typeof keptFileSchema>

const MAX_EXTRA = 64_000
const MAX_EXTRA_MEMBERS = 200

export const modelIdSchema = z.string().min(1).max(200)
const word = z.string().min(1).max(40)
const promptSchema = z.string().min(1).max(100_000)
/** Members of the service's own request that are not named here. What is named here is refused in it. */
const extraSchema = z.record(z.string().min(1).max(100), z.json()).refine(
  (extra) => Object.keys(extra).length <= MAX_EXTRA_MEMBERS && JSON.stringify(extra).length <= MAX_EXTRA, 'More than is sent beside what is known',
)

/** Specification, Images: made from words or from an image, enlarged, cut out; `form` sends it by the edits form of OpenAI's clients. */
const imageMembers = {
  kind: z.literal('image'),
  model: modelIdSchema,
  prompt: promptSchema.exactOptional(),
  n: z.int().min(1).max(10).exactOptional(),
  quality: word.exactOptional(),
  /** Aspect ratio, or pixels. */
  size: word.exactOptional(),
  resolution: word.exactOptional(),
  negativePrompt: promptSchema.exactOptional(),
  outputFormat: z.enum(['png', 'jpeg', 'webp']).exactOptional(),
  seed: z.int().exactOptional(),
  form: z.literal(true).exactOptional(),
  /** What a camera wrote into the image goes with it. */
  keepMetadata: z.literal(true).exactOptional(),
  extra: extraSchema.exactOptional(),
}

/** Specification, Videos: from words, or from an image and words. */
const videoMembers = {
  kind: z.literal('video'),
  model: modelIdSchema,
  prompt: promptSchema,
  aspectRatio: word.exactOptional(),
  /** Seconds, as text. */
  duration: z.string().regex(/^\d{1,4}$/).exactOptional(),
  quality: word.exactOptional(),
  keepMetadata: z.literal(true).exactOptional(),
  extra: extraSchema.exactOptional(),
}

/** Specification, Audio. Long texts are spoken in several requests (./speech-pieces.ts) and joined. From a balance alone. */
const speechMembers = {
  kind: z.literal('speech'),
  text: z.string().min(1).max(200_000).refine((text) => text.trim() !== '', 'There is nothing to say'),
  model: modelIdSchema.exactOptional(),
  voice: modelIdSchema.exactOptional(),
  extra: extraSchema.exactOptional(),
}

export const transcriptFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const
/** Specification, Audio. A WAV or MP3 file that is larger than the service takes is sent in pieces where `split` says so. From a balance alone. */
const transcriptionMembers = {
  kind: z.literal('transcription'),
  model: modelIdSchema.exactOptional(),
  format: z.enum(transcriptFormats),
  /** Such as `en`; `multi` finds out. */
  language: z.string().regex(/^[A-Za-z-]{2,10}$/).exactOptional(),
  prompt: z.string().min(1).max(4000).exactOptional(),
  split: z.literal(true).exactOptional(),
  extra: extraSchema.exactOptional(),
}

/** Specification, Data enrichment: one call, with a query where it is a GET and a JSON body where it is a POST. */
const dataMembers = {
  kind: z.literal('data'),
  method: z.enum(['GET', 'POST']),
  /** Below `/v1/data`, as listed. */
  path: z.string().min(1).max(300),
  input: extraSchema,
}

/** What is asked for, as it is handed over. */
export const jobAskSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...imageMembers, image: givenFileSchema.exactOptional() }),
  z.strictObject({ ...videoMembers, image: givenFileSchema.exactOptional() }),
  z.strictObject(speechMembers),
  z.strictObject({ ...transcriptionMembers, file: givenFileSchema }),
  z.strictObject(dataMembers),
])
export type JobAsk = z.infer<typeof jobAskSchema>

/** The same as it is kept, and as it can be asked for again. */
export const keptAskSchema = z.discriminatedUnion('kind', [
  z.object({ ...imageMembers, image: keptFileSchema.exactOptional() }),
  z.object({ ...videoMembers, image: keptFileSchema.exactOptional() }),
  z.object(speechMembers),
  z.object({ ...transcriptionMembers, file: keptFileSchema }),
  z.object(dataMembers),
])
export type KeptAsk = z.infer<typeof keptAskSchema>

export type JobKind = KeptAsk['kind']
export const jobKinds = ['image', 'video', 'speech', 'transcription', 'data'] as const satisfies readonly JobKind[]
