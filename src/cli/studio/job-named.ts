import type { JobKind } from '../../shared/job-ask.ts'
import type { Job } from '../../shared/job.ts'
import { failureOf, type ContractClient } from '../client.ts'
import { unusable } from './at-studio.ts'

const PAGE = 200
const SHORTEST = 4

/** Finds the one job whose ID starts this way. Throws request/invalid if none or several match, or if the kind is wrong. */
export async function jobNamed(
  { studio }: ContractClient,
  name: string,
  kinds?: readonly JobKind[],
): Promise<Job> {
  const job = (await exactly(studio, name)) ?? (await beginning(studio, name))
  if (!job) throw unusable('There is no such job.', 'To list jobs, run "sotto jobs list".')
  if (kinds && !kinds.includes(job.kind))
    throw unusable(`The job has a different kind: ${job.kind}.`, 'Use the command for that kind.')
  return job
}

async function exactly(studio: ContractClient['studio'], name: string): Promise<Job | null> {
  if (name.length === 0 || name.length > 64) return null
  try {
    return await studio.get({ jobId: name })
  } catch (thrown) {
    if (failureOf(thrown)?.code !== 'studio/unknown') throw thrown
    return null
  }
}

async function beginning(studio: ContractClient['studio'], name: string): Promise<Job | null> {
  if (name.length < SHORTEST) return null
  let found: Job | null = null
  for (let before: string | undefined; ;) {
    const { jobs, next } = await studio.list({ limit: PAGE, ...(before !== undefined && { before }) })
    for (const job of jobs) {
      if (!job.id.startsWith(name)) continue
      if (found) throw unusable('Several job IDs start this way.', 'Use more characters of the ID.')
      found = job
    }
    if (next === undefined) return found
    before = next
  }
}
