import { Command } from 'commander'
import { addExamples } from '../help.ts'
import { toObject, toWhole, withJobOptions } from './job-options.ts'
import type { VideoCommandOptions } from './video.ts'

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
    else process.exitCode = await (await import('./video.ts')).makeVideo(prompt.join(' '), options)
  })
  return addExamples(
    command,
    'sotto video --models',
    'sotto video "waves at dusk" -m sandbox/carosello-video --duration 5 --out waves.mp4',
  )
}
