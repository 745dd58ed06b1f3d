import { Command, Option } from 'commander'
import { transcriptFormats } from '../../shared/job-ask.ts'
import { addExamples } from '../help.ts'
import type { ImageCommandOptions, VideoCommandOptions, TranscribeOptions, SpeakOptions } from './media.ts'
import { toObject, withJobOptions } from './job-options.ts'
import { toWhole } from '../option-values.ts'

/** `sotto image`: generates, edits or upscales images, depending on the model. */
export function imageCommand(): Command {
  const command = new Command('image')
    .summary('Generate, edit, or upscale images')
    .description(
      'Generate, edit, or upscale images, or remove a background. The model determines what is possible.',
    )
    .argument('[prompt...]', 'Description of the image, or of the change')
    .option('-m, --model <id>', 'Model ID. To list models, use --models')
    .option('--models', 'List models with prices in US dollars', false)
    .option('-n, --n <images>', 'Number of images, 1 to 10 (default: the model’s)', toWhole(1, 10))
    .option('--size <size>', 'Aspect ratio or size in pixels, as supported by the model')
    .option('--quality <quality>', 'Quality, as supported by the model')
    .option('--resolution <resolution>', 'Resolution, such as 2K')
    .option('--negative <words>', 'What the image must not show')
    .addOption(new Option('--format <format>', 'File format').choices(['png', 'jpeg', 'webp']))
    .option(
      '--seed <number>',
      'Seed for reproducible images, if the model supports it',
      toWhole(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    )
    .option('--image <file>', 'Source image: JPEG, PNG, or WebP. Its metadata is removed')
    .option('--image-of <job>', 'Source image from an earlier job: its ID, or ID:file number')
    .option('--edits-form', 'Send the image to the OpenAI edits endpoint', false)
    .option('--keep-metadata', 'Keep the image’s metadata, such as the location', false)
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: true,
    out: 'Save to a file, a folder, or standard output (-). Without it, results stay in Sotto',
  }).action(async (prompt: string[], options: ImageCommandOptions & { models: boolean }) => {
    if (options.models)
      process.exitCode = await (await import('./print-models.ts')).printModels('image', options.json)
    else process.exitCode = await (await import('./media.ts')).makeImage(prompt.join(' '), options)
  })
  return addExamples(
    command,
    'sotto image --models',
    'sotto image "an otter in ink" -m sandbox/affresco-image --out otter.png',
  )
}

/** `sotto video`: generates a video from a prompt, or from an image and a prompt. */
export function videoCommand(): Command {
  const command = new Command('video')
    .summary('Generate a video')
    .description('Generate a video. This takes minutes and continues after Sotto restarts.')
    .argument('[prompt...]', 'Description of the video')
    .option('-m, --model <id>', 'Model ID. To list models, use --models')
    .option('--models', 'List models with prices in US dollars', false)
    .option('--aspect-ratio <ratio>', 'Aspect ratio, such as 16:9')
    .option('--duration <seconds>', 'Length in seconds', toWhole(1, 9999))
    .option('--quality <quality>', 'Quality, such as 720p')
    .option('--image <file>', 'First frame: a JPEG, PNG, or WebP image. Its metadata is removed')
    .option('--image-of <job>', 'First frame from an earlier job: its ID, or ID:file number')
    .option('--keep-metadata', 'Keep the image’s metadata, such as the location', false)
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: true,
    out: 'Save to a file, a folder, or standard output (-). Without it, results stay in Sotto',
  }).action(async (prompt: string[], options: VideoCommandOptions & { models: boolean }) => {
    if (options.models)
      process.exitCode = await (await import('./print-models.ts')).printModels('video', options.json)
    else process.exitCode = await (await import('./media.ts')).makeVideo(prompt.join(' '), options)
  })
  return addExamples(
    command,
    'sotto video --models',
    'sotto video "waves at dusk" -m sandbox/carosello-video --duration 5 --out waves.mp4',
  )
}

/** `sotto speak`: generates speech from text. */
export function speakCommand(): Command {
  const command = new Command('speak')
    .summary('Generate speech from text')
    .description('Generate speech from text. Long text is split at sentences, and the parts are joined.')
    .argument('[text...]', 'Text to speak. Without it: --file or standard input')
    .option('--file <file>', 'Text file in UTF-8, or - for standard input')
    .option('-m, --model <id>', 'Model ID from --voices (default: the service chooses)')
    .option('--voice <id>', 'Voice ID from --voices (default: the service chooses)')
    .option('--voices', 'List models with prices in US dollars, and voices', false)
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: false,
    out: 'Save to a file, a folder, or standard output (-). Without it, results stay in Sotto',
  }).action(async (text: string[], options: SpeakOptions & { voices: boolean }) => {
    const { printVoices, speak } = await import('./media.ts')
    process.exitCode = options.voices ? await printVoices(options.json) : await speak(text.join(' '), options)
  })
  return addExamples(
    command,
    'sotto speak "Hello, world" --out hello.wav',
    'sotto speak --file story.txt --out story.wav --max-cost 0.50',
  )
}

/** `sotto transcribe`: transcribes a recording. */
export function transcribeCommand(): Command {
  const command = new Command('transcribe')
    .description('Transcribe a recording')
    .argument('[file]', 'MP3, MP4, M4A, WAV, or WebM file, at most 25 MB unless --split is used')
    .addOption(
      new Option('--format <format>', 'Output format. srt, vtt, and verbose_json include timestamps')
        .choices(transcriptFormats)
        .default('text'),
    )
    .option('--language <code>', 'Language of the recording, such as en (default: detected by the service)')
    .option('--prompt <words>', 'Names and terms that may occur in the recording')
    .option('-m, --model <id>', 'Model ID (default: the service chooses)')
    .option('--split', 'Send a WAV or MP3 file larger than 25 MB in parts. Each part is charged', false)
    .option('--extra <json>', 'Additional request parameters, as one JSON object', toObject)
  withJobOptions(command, {
    single: false,
    out: 'Save to a file or a folder. Without it, the transcript is printed',
  }).action(async (file: string | undefined, options: TranscribeOptions) => {
    process.exitCode = await (await import('./media.ts')).transcribe(file, options)
  })
  return addExamples(
    command,
    'sotto transcribe interview.mp3',
    'sotto transcribe interview.mp3 --format srt --out interview.srt',
  )
}

/** `sotto convert`: converts a document to Markdown inside the verified enclave. */
export function convertCommand(): Command {
  const command = new Command('convert')
    .summary('Convert a document to Markdown in the enclave')
    .description(
      'Convert a document to Markdown. It’s sealed to the verified enclave, and each conversion costs a fee.',
    )
    .argument('<file>', 'PDF, DOCX, PPTX, XLSX, or HTML file, at most 25 MB')
    .option('--out <file>', 'Save the Markdown to a new file. Without it, it’s printed')
    .option('--yes', 'Accept the fee without asking', false)
    .option('--json', 'Print the result as one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0    Done\n  1    Refused, failed, or the fee was not accepted. The error code gives the reason\n  2    The input can’t be used. Nothing was sent\n  130  Stopped with Ctrl-C. The service can still charge the fee',
    )
    .action(async (file: string, options: { out?: string; yes: boolean; json: boolean }) => {
      const { convert } = await import('../convert.ts')
      process.exitCode = await convert(file, options)
    })
  return addExamples(command, 'sotto convert report.docx', 'sotto convert scan.pdf --out scan.md --yes')
}
