import { z } from 'zod'

/** An input file: an upload, a file of an earlier job, or an image with a public address. */
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
 * The private conversation that the text or the picture is from. The service can read only the content that
 * a consent covers, once (docs/decisions/0008).
 */
const privateSourceSchema = z.strictObject({
  conversationId: z.string().min(1).max(64),
  /** For a picture. */ attachmentId: z.string().min(1).max(64).exactOptional(),
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
/** Members of the service's own request that have no member here. Members that have one are refused. */
const extraSchema = z
  .record(z.string().min(1).max(100), z.json())
  .refine(
    (extra) => Object.keys(extra).length <= MAX_EXTRA_MEMBERS && JSON.stringify(extra).length <= MAX_EXTRA,
    'More than is sent beside what is known',
  )

/**
 * Generates, edits or upscales an image, or removes its background (specification, Images). `form` sends it
 * like the edits form of OpenAI's clients.
 */
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
  /** Metadata of the camera is sent too. */
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

/**
 * Long texts are sent in several requests (./speech-pieces.ts) whose results are joined (specification,
 * Audio). Only the balance can pay.
 */
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
/**
 * With `split`, a WAV or MP3 file that is larger than the service accepts is sent in pieces (specification,
 * Audio). Only the balance can pay.
 */
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
  /**
   * The duration according to the caller: for the estimate, if the format of the file doesn't state it. Not
   * sent.
   */
  seconds: z.number().positive().max(1_000_000).exactOptional(),
  extra: extraSchema.exactOptional(),
}

/** One call, with a query for GET and a JSON body for POST (specification, Data enrichment). */
const dataMembers = {
  kind: z.literal('data'),
  method: z.enum(['GET', 'POST']),
  /** Below `/v1/data`, as listed. */
  path: z.string().min(1).max(300),
  input: extraSchema,
}

export const csvDelimiters = [',', ';', '\t', '|'] as const
/** The format of a CSV file. Without a delimiter, the first lines determine it. */
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

/** Sent in parts, one after another (specification, Embeddings). Only the balance can pay. */
const embeddingMembers = {
  kind: z.literal('embedding'),
  model: modelIdSchema,
  /** The length of a vector, if the model supports the parameter. */
  dimensions: z.int().min(1).max(65_536).exactOptional(),
  extra: extraSchema.exactOptional(),
}

export const cellForms = ['text', 'number', 'boolean', 'list', 'json'] as const
/**
 * The conversion of a cell to a member of the request. A list is split at semicolons. An empty cell is
 * omitted.
 */
const mappedColumnSchema = z.strictObject({
  column: columnSchema,
  as: z.enum(cellForms).default('text'),
})
export type MappedColumn = z.infer<typeof mappedColumnSchema>

/** The limit for concurrent requests of a batch. */
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
  /** Pico-USD: no row is sent that could raise the total cost above this. */
  most: z
    .string()
    .regex(/^\d{1,24}$/)
    .exactOptional(),
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(2),
}

/** The parameters of a job as the caller passes them. */
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

/** The parameters of a job as they are stored. They can start another job. */
export const storedAskSchema = z.discriminatedUnion('kind', [
  z.object({ ...imageMembers, image: storedFileSchema.exactOptional() }),
  z.object({ ...videoMembers, image: storedFileSchema.exactOptional() }),
  z.object(speechMembers),
  z.object({ ...transcriptionMembers, file: storedFileSchema }),
  z.object(dataMembers),
  /** The texts are stored as JSON Lines, whatever their source. */
  z.object({
    ...embeddingMembers,
    source: z.object({ form: z.enum(['lines', 'csv', 'files', 'jsonl']), file: storedFileSchema }),
  }),
  /** The rows are stored as JSON Lines: first the names of the columns, then the cells of each row. */
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
