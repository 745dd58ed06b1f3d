import { z } from 'zod'

/** A file that is handed over: one that was uploaded, one of a former job, or an image that stands somewhere in public. */
export const givenFileSchema = z.union([
  z.strictObject({ uploadId: z.string().min(1).max(64) }),
  z.strictObject({ jobId: z.string().min(1).max(64), index: z.int().min(0) }),
  z.strictObject({
    url: z
      .string()
      .max(8000)
      .regex(/^https:\/\//),
  }),
])
export type GivenFile = z.infer<typeof givenFileSchema>

/**
 * The conversation that is kept private from which the words were sent on, or the picture: of it the service reads what was allowed for this
 * once, and nothing before that (docs/decisions/0008).
 */
const privateSourceSchema = z.strictObject({
  conversationId: z.string().min(1).max(64),
  /** Of the picture. */ attachmentId: z.string().min(1).max(64).exactOptional(),
})
export type PrivateSource = z.infer<typeof privateSourceSchema>

/** The same, once the job has it: a file of its own, so that it can be asked for again whatever became of the first. */
const storedFileSchema = z.union([z.object({ file: z.int().min(0) }), z.object({ url: z.string() })])
export type StoredFile = z.infer<typeof storedFileSchema>

const MAX_EXTRA = 64_000
const MAX_EXTRA_MEMBERS = 200

const modelIdSchema = z.string().min(1).max(200)
const word = z.string().min(1).max(40)
const promptSchema = z.string().min(1).max(100_000)
/** Members of the service's own request that are not named here. What is named here is refused in it. */
const extraSchema = z
  .record(z.string().min(1).max(100), z.json())
  .refine(
    (extra) => Object.keys(extra).length <= MAX_EXTRA_MEMBERS && JSON.stringify(extra).length <= MAX_EXTRA,
    'More than is sent beside what is known',
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
  from: privateSourceSchema.exactOptional(),
}

/** Specification, Videos: from words, or from an image and words. */
const videoMembers = {
  kind: z.literal('video'),
  model: modelIdSchema,
  prompt: promptSchema,
  aspectRatio: word.exactOptional(),
  /** Seconds, as text. */
  duration: z
    .string()
    .regex(/^\d{1,4}$/)
    .exactOptional(),
  quality: word.exactOptional(),
  keepMetadata: z.literal(true).exactOptional(),
  extra: extraSchema.exactOptional(),
  from: privateSourceSchema.exactOptional(),
}

/** Specification, Audio. Long texts are spoken in several requests (./speech-pieces.ts) and joined. From a balance alone. */
const speechMembers = {
  kind: z.literal('speech'),
  text: z
    .string()
    .min(1)
    .max(200_000)
    .refine((text) => text.trim() !== '', 'There is nothing to say'),
  model: modelIdSchema.exactOptional(),
  voice: modelIdSchema.exactOptional(),
  extra: extraSchema.exactOptional(),
  from: privateSourceSchema.exactOptional(),
}

export const transcriptFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const
/** Specification, Audio. A WAV or MP3 file that is larger than the service takes is sent in pieces where `split` says so. From a balance alone. */
const transcriptionMembers = {
  kind: z.literal('transcription'),
  model: modelIdSchema.exactOptional(),
  format: z.enum(transcriptFormats),
  /** Such as `en`; `multi` finds out. */
  language: z
    .string()
    .regex(/^[A-Za-z-]{2,10}$/)
    .exactOptional(),
  prompt: z.string().min(1).max(4000).exactOptional(),
  split: z.literal(true).exactOptional(),
  /** How long it is, by whoever asks: for the estimate, where the file's own form does not say. Not sent. */
  seconds: z.number().positive().max(1_000_000).exactOptional(),
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

export const csvDelimiters = [',', ';', '\t', '|'] as const
/** How a CSV file is read. Where no delimiter is said, it is found out from the first lines. */
const csvMembers = {
  /** The first row names the columns. */
  header: z.boolean().default(true),
  delimiter: z.enum(csvDelimiters).exactOptional(),
}
const columnSchema = z.int().min(0).max(9999)

/** Each a text of its own. */
export const MAX_TEXT_FILES = 100

/** Texts that are embedded: lines that are not empty; one column of a CSV file; each file a text; or JSON Lines, each a text or `{ text, label }`. */
const textSourceSchema = z.discriminatedUnion('form', [
  z.strictObject({ form: z.literal('lines'), file: givenFileSchema }),
  z.strictObject({ form: z.literal('csv'), file: givenFileSchema, column: columnSchema, ...csvMembers }),
  z.strictObject({ form: z.literal('files'), files: z.array(givenFileSchema).min(1).max(MAX_TEXT_FILES) }),
  z.strictObject({ form: z.literal('jsonl'), file: givenFileSchema }),
])
export type TextSource = z.infer<typeof textSourceSchema>

/** Specification, Embeddings. Sent in parts, one after another. From a balance alone. */
const embeddingMembers = {
  kind: z.literal('embedding'),
  model: modelIdSchema,
  /** Of a vector, where the model can be told. */
  dimensions: z.int().min(1).max(65_536).exactOptional(),
  extra: extraSchema.exactOptional(),
}

export const cellForms = ['text', 'number', 'boolean', 'list', 'json'] as const
/** What a cell becomes in a request. A list is parted at semicolons. An empty cell is left out. */
const mappedColumnSchema = z.strictObject({
  column: columnSchema,
  as: z.enum(cellForms).default('text'),
})
export type MappedColumn = z.infer<typeof mappedColumnSchema>

/** Requests that a batch has under way at once. */
const MAX_CONCURRENCY = 8
export const MAX_BATCH_ROWS = 200_000

/** One data endpoint asked for each row of a CSV file (UTF-8, or UTF-16 with its mark; at most MAX_BATCH_ROWS rows). */
const batchMembers = {
  kind: z.literal('batch'),
  method: z.enum(['GET', 'POST']),
  /** Below `/v1/data`, as listed. */
  path: z.string().min(1).max(300),
  /** Fields of the request, each with the column that fills it. */
  columns: z
    .record(z.string().min(1).max(100), mappedColumnSchema)
    .refine(
      (columns) => Object.keys(columns).length >= 1 && Object.keys(columns).length <= 100,
      'At least one column is mapped',
    ),
  /** Fields that are the same for every row. */
  input: extraSchema.exactOptional(),
  ...csvMembers,
  /** Pico-USD: no row leaves that could bring what all of them cost above it. */
  most: z
    .string()
    .regex(/^\d{1,24}$/)
    .exactOptional(),
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(2),
}

/** What is asked for, as it is handed over. */
export const jobAskSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...imageMembers, image: givenFileSchema.exactOptional() }),
  z.strictObject({ ...videoMembers, image: givenFileSchema.exactOptional() }),
  z.strictObject(speechMembers),
  z.strictObject({ ...transcriptionMembers, file: givenFileSchema }),
  z.strictObject(dataMembers),
  z.strictObject({ ...embeddingMembers, source: textSourceSchema }),
  z.strictObject({ ...batchMembers, file: givenFileSchema }),
])
export type JobAsk = z.infer<typeof jobAskSchema>

/** The same as it is kept, and as it can be asked for again. */
export const storedAskSchema = z.discriminatedUnion('kind', [
  z.object({ ...imageMembers, image: storedFileSchema.exactOptional() }),
  z.object({ ...videoMembers, image: storedFileSchema.exactOptional() }),
  z.object(speechMembers),
  z.object({ ...transcriptionMembers, file: storedFileSchema }),
  z.object(dataMembers),
  /** The texts stand in JSON Lines, whatever they came from. */
  z.object({
    ...embeddingMembers,
    source: z.object({ form: z.enum(['lines', 'csv', 'files', 'jsonl']), file: storedFileSchema }),
  }),
  /** The rows stand in JSON Lines: first the names of the columns, then each row's cells. */
  z.object({ ...batchMembers, file: storedFileSchema }),
])
export type StoredAsk = z.infer<typeof storedAskSchema>

export type JobKind = StoredAsk['kind']
export const jobKinds = [
  'image',
  'video',
  'speech',
  'transcription',
  'data',
  'embedding',
  'batch',
] as const satisfies readonly JobKind[]
