import { Command, Option } from 'commander'
import { jobKinds, type JobKind } from '../../shared/job-ask.ts'
import { exitHelp } from './exit-codes.ts'
import { toWhole } from './job-options.ts'

interface Output {
  readonly json: boolean
}
interface Saving extends Output {
  readonly out?: string
  readonly force: boolean
}

const JOB = 'its id, or the beginning of it'

/** `sotto jobs …`: what was asked for beside chat, and what came of it. It outlives the command that began it. */
export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('images, clips, speech, transcripts, data and vectors that were asked for: list, wait for, save, export and remove them')

  jobs.command('list', { isDefault: true })
    .description('the newest first, with how far each is and what it cost')
    .argument('[words...]', 'those that have all of these in their words, model or file names')
    .addOption(new Option('--kind <kinds...>', 'of these kinds alone').choices(jobKinds))
    .option('--limit <jobs>', 'at most so many', toWhole(1, 100_000), 50)
    .option('--json', 'print one line of JSON', false)
    .action(async (words: string[], options: Output & { kind?: JobKind[]; limit: number }) => {
      process.exitCode = await (await import('./jobs.ts')).listJobs(words.join(' '), options)
    })

  jobs.command('get')
    .description('all that is known of one: what was asked, its state, cost, receipt and files')
    .argument('<job>', JOB)
    .option('--json', 'print one line of JSON', false)
    .action(async (name: string, options: Output) => {
      process.exitCode = await (await import('./jobs.ts')).showJob(name, options)
    })

  jobs.command('wait')
    .description('wait until it is done, whoever began it; Ctrl-C stops what may be stopped')
    .argument('<job>', JOB)
    .option('-o, --out <path>', 'then save it there: a file, a folder, or - for standard output')
    .option('--force', 'write over a file that is there', false)
    .option('--json', 'print one line of JSON', false)
    .addHelpText('after', exitHelp)
    .action(async (name: string, options: Saving) => {
      process.exitCode = await (await import('./jobs.ts')).waitForJobNamed(name, options)
    })

  jobs.command('save')
    .description('save what was made as files, which are not encrypted')
    .argument('<job>', JOB)
    .option('-o, --out <path>', 'a file, a folder, or - for standard output; by default the folder that this is run in')
    .addOption(new Option('--format <format>', 'of vectors and of the rows of a batch; by default as --out ends').choices(['csv', 'json', 'npy', 'parquet']))
    .option('--file <number>', 'this file alone, as "sotto jobs get" numbers them', toWhole(0, 1_000_000))
    .option('--force', 'write over a file that is there', false)
    .option('--json', 'print one line of JSON', false)
    .action(async (name: string, options: Saving & { file?: number; format?: string }) => {
      process.exitCode = await (await import('./jobs.ts')).saveJob(name, options)
    })

  jobs.command('export')
    .description('save several as one ZIP file: a folder for each, and a manifest of what was asked, what it cost and its receipt; it is not encrypted')
    .argument('[jobs...]', JOB)
    .option('--all', 'all of them', false)
    .option('-o, --out <path>', 'a file, a folder, or - for standard output; by default the folder that this is run in')
    .option('--force', 'write over a file that is there', false)
    .option('--json', 'print one line of JSON', false)
    .action(async (names: string[], options: Saving & { all: boolean }) => {
      process.exitCode = await (await import('./jobs.ts')).exportJobs(names, options)
    })

  jobs.command('stop')
    .description('stop what was neither sent nor paid; of one that is sent in parts, send no further part')
    .argument('<job>', JOB)
    .option('--json', 'print one line of JSON', false)
    .action(async (name: string, options: Output) => {
      process.exitCode = await (await import('./jobs.ts')).stopJobNamed(name, options)
    })

  jobs.command('compare')
    .description('look for one whose end is unknown in the service’s history (exit 0 found, 1 nothing like it)')
    .argument('<job>', JOB)
    .option('--json', 'print one line of JSON', false)
    .action(async (name: string, options: Output) => {
      process.exitCode = await (await import('./jobs.ts')).compareJob(name, options)
    })

  jobs.command('remove')
    .description('delete those that have ended, with all that was made')
    .argument('<jobs...>', JOB)
    .option('--json', 'print one line of JSON', false)
    .action(async (names: string[], options: Output) => {
      process.exitCode = await (await import('./jobs.ts')).removeJobs(names, options)
    })

  jobs.command('usage')
    .description('what is kept on this machine, by kind')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: Output) => {
      process.exitCode = await (await import('./jobs.ts')).showUsage(options)
    })

  return jobs
}
