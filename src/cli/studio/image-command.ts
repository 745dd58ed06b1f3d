import { Command, Option } from 'commander'
import { addExamples } from '../help.ts'
import type { ImageCommandOptions } from './image.ts'
import { toObject, toWhole, withJobOptions } from './job-options.ts'

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
    else process.exitCode = await (await import('./image.ts')).makeImage(prompt.join(' '), options)
  })
  return addExamples(
    command,
    'sotto image --models',
    'sotto image "an otter in ink" -m sandbox/affresco-image --out otter.png',
  )
}
