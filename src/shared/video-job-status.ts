import { z } from 'zod'

/** The states of the specification (Video job), and what deployments were seen to say of one that is not done. */
export const videoJobStatusSchema = z.enum(['pending', 'completed', 'failed']).or(z.enum(['processing', 'queued', 'in_progress']).transform(() => 'pending' as const))

/** Polls of the first minute. */
const QUICK_POLLS = 12

/** Ms until a job is asked about again, every 5 to 10 seconds (specification, Videos). @param polls how often it was asked about before */
export function videoPollDelay(polls: number): number {
  return polls < QUICK_POLLS ? 5000 : 10_000
}
