import { Command, Option } from 'commander'
import { jobKinds, type JobKind } from '../../shared/job-ask.ts'
import { addExamples } from '../help.ts'
import { exitHelp } from './job-options.ts'
import { toWhole } from '../option-values.ts'
import type { Output } from '../json-output.ts'

interface Saving extends Output {
  readonly out?: string
  readonly force: boolean
}

const JOB = 'Job ID, or its first characters (at least 4)'

/** `sotto jobs …`: requests other than chat, and their results. A job outlives the command that started it. */
export function jobsCommand(): Command {
  const jobs = new Command('jobs')
    .summary('Manage jobs and their results')
    .description(
      'Manage jobs and their results: images, videos, speech, transcripts, data, embeddings, and batches.',
    )

  addExamples(
    jobs
      .command('list', { isDefault: true })
      .description('List jobs with status and cost, newest first')
      .argument('[words...]', 'Only jobs whose prompt, model, or file names match all of these terms')
      .addOption(new Option('--kind <kinds...>', 'Only these kinds').choices(jobKinds))
      .option('--limit <jobs>', 'Maximum number of jobs, 1 to 100000', toWhole(1, 100_000), 50)
      .option('--json', 'Print one line of JSON', false)
      .action(async (terms: string[], options: Output & { kind?: JobKind[]; limit: number }) => {
        process.exitCode = await (await import('./jobs.ts')).listJobs(terms.join(' '), options)
      }),
    'sotto jobs list --kind image video',
  )

  addExamples(
    jobs
      .command('get')
      .description('Show a job: request, status, cost, receipt, and files')
      .argument('<job>', JOB)
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: Output) => {
        process.exitCode = await (await import('./jobs.ts')).showJob(name, options)
      }),
    'sotto jobs get 3f9a',
  )

  addExamples(
    jobs
      .command('wait')
      .summary('Wait until a job is done')
      .description('Wait until a job is done. Press Ctrl-C to stop it, if it can still be stopped.')
      .argument('<job>', JOB)
      .option('-o, --out <path>', 'When done, save to a file, a folder, or standard output (-)')
      .option('--force', 'Overwrite existing files', false)
      .option('--json', 'Print one line of JSON', false)
      .addHelpText('after', exitHelp)
      .action(async (name: string, options: Saving) => {
        process.exitCode = await (await import('./jobs.ts')).waitForJobNamed(name, options)
      }),
    'sotto jobs wait 3f9a --out .',
  )

  addExamples(
    jobs
      .command('save')
      .summary('Save a job’s results as files')
      .description('Save a job’s results as files. The files are not encrypted.')
      .argument('<job>', JOB)
      .option('-o, --out <path>', 'File, folder, or standard output (-) (default: the current folder)')
      .addOption(
        new Option(
          '--format <format>',
          'Format of embeddings and batch results (default: from the file name of --out)',
        ).choices(['csv', 'json', 'npy', 'parquet']),
      )
      .option('--file <number>', 'Only this file, by its number in "sotto jobs get"', toWhole(0, 1_000_000))
      .option('--force', 'Overwrite existing files', false)
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: Saving & { file?: number; format?: string }) => {
        process.exitCode = await (await import('./jobs.ts')).saveJob(name, options)
      }),
    'sotto jobs save 3f9a --out otter.png',
  )

  addExamples(
    jobs
      .command('export')
      .summary('Save jobs as a ZIP file')
      .description(
        'Save jobs as a ZIP file: a folder for each job, and a manifest with requests, costs, and receipts. The file is not encrypted.',
      )
      .argument('[jobs...]', JOB)
      .option('--all', 'All jobs', false)
      .option('-o, --out <path>', 'File, folder, or standard output (-) (default: the current folder)')
      .option('--force', 'Overwrite existing files', false)
      .option('--json', 'Print one line of JSON', false)
      .action(async (names: string[], options: Saving & { all: boolean }) => {
        process.exitCode = await (await import('./jobs.ts')).exportJobs(names, options)
      }),
    'sotto jobs export --all --out jobs.zip',
  )

  addExamples(
    jobs
      .command('stop')
      .summary('Stop a job')
      .description(
        'Stop a job that was not sent or paid yet. For a job that is sent in parts, no more parts are sent.',
      )
      .argument('<job>', JOB)
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: Output) => {
        process.exitCode = await (await import('./jobs.ts')).stopJobNamed(name, options)
      }),
    'sotto jobs stop 3f9a',
  )

  addExamples(
    jobs
      .command('compare')
      .summary('Look up a job in the service’s history')
      .description('Look up a job with an unknown outcome in the service’s history.')
      .argument('<job>', JOB)
      .option('--json', 'Print one line of JSON', false)
      .addHelpText('after', '\nExit codes:\n  0  Found\n  1  No match')
      .action(async (name: string, options: Output) => {
        process.exitCode = await (await import('./jobs.ts')).compareJob(name, options)
      }),
    'sotto jobs compare 3f9a',
  )

  addExamples(
    jobs
      .command('remove')
      .description('Delete finished jobs and their results')
      .argument('<jobs...>', JOB)
      .option('--json', 'Print one line of JSON', false)
      .action(async (names: string[], options: Output) => {
        process.exitCode = await (await import('./jobs.ts')).removeJobs(names, options)
      }),
    'sotto jobs remove 3f9a 71cc',
  )

  addExamples(
    jobs
      .command('usage')
      .description('Show how much is saved on this computer, by kind')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        process.exitCode = await (await import('./jobs.ts')).showUsage(options)
      }),
    'sotto jobs usage',
  )

  return jobs
}
