import { Command } from 'commander'
import { toObject, toWhole, withJobOptions } from './job-options.ts'
import type { VideoCommandOptions } from './video.ts'

/** `sotto video`: a clip from words, or from an image and words. */
export function videoCommand(): Command {
  const command = new Command('video')
    .description('have a clip made; it takes minutes, and goes on after a restart; the service can read it')
    .argument('[prompt...]', 'what it shows')
    .option('-m, --model <id>', 'of --models')
    .option('--models', 'list the models with their prices', false)
    .option('--aspect-ratio <ratio>', 'such as 16:9')
    .option('--duration <seconds>', 'how long it is', toWhole(1, 9999))
    .option('--quality <quality>', 'such as 720p')
    .option('--image <file>', 'a JPEG, PNG or WebP image that it begins with; what a camera wrote into it is taken out')
    .option('--image-of <job>', 'the same, of a former job: its id, or id:file')
    .option('--keep-metadata', 'leave in what a camera wrote into the image, such as the place', false)
    .option('--extra <json>', 'members of the request that have no option here, as one JSON object', toObject)
  return withJobOptions(command, { single: true, out: 'save it there: a file, a folder, or - for standard output; else it is kept in Sotto' })
    .action(async (prompt: string[], options: VideoCommandOptions & { models: boolean }) => {
      if (options.models) process.exitCode = await (await import('./print-models.ts')).printModels('video', options.json)
      else process.exitCode = await (await import('./video.ts')).makeVideo(prompt.join(' '), options)
    })
}
