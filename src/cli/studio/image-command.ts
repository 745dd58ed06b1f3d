import { Command, Option } from 'commander'
import type { ImageCommandOptions } from './image.ts'
import { toObject, toWhole, withJobOptions } from './job-options.ts'

/** `sotto image`: made from words or from an image, enlarged, cut out: by the model. */
export function imageCommand(): Command {
  const command = new Command('image')
    .description('have an image made, changed, enlarged or cut out; the service can read it')
    .argument('[prompt...]', 'what it shows, or how it is changed')
    .option('-m, --model <id>', 'of --models')
    .option('--models', 'list the models with their prices', false)
    .option('-n, --n <images>', 'how many', toWhole(1, 10))
    .option('--size <size>', 'aspect ratio or pixels, as the model takes it')
    .option('--quality <quality>', 'as the model takes it')
    .option('--resolution <resolution>', 'such as 2K')
    .option('--negative <words>', 'what it does not show')
    .addOption(new Option('--format <format>', 'of the file').choices(['png', 'jpeg', 'webp']))
    .option('--seed <number>', 'for the same again, where the model takes one', toWhole(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
    .option('--image <file>', 'a JPEG, PNG or WebP image that it is made from; what a camera wrote into it is taken out')
    .option('--image-of <job>', 'the same, of a former job: its id, or id:file')
    .option('--edits-form', 'send the image by the edits form of OpenAI’s interface', false)
    .option('--keep-metadata', 'leave in what a camera wrote into the image, such as the place', false)
    .option('--extra <json>', 'members of the request that have no option here, as one JSON object', toObject)
  return withJobOptions(command, { single: true, out: 'save it there: a file, a folder, or - for standard output; else it is kept in Sotto' })
    .action(async (prompt: string[], options: ImageCommandOptions & { models: boolean }) => {
      if (options.models) process.exitCode = await (await import('./print-models.ts')).printModels('image', options.json)
      else process.exitCode = await (await import('./image.ts')).makeImage(prompt.join(' '), options)
    })
}
