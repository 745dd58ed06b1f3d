import { z } from 'zod'

/** The states of the specification (Video job), and what deployments were seen to say of one that is not done. */
export const videoJobStatusSchema = z.enum(['pending', 'completed', 'failed']).or(z.enum(['processing', 'queued', 'in_progress']).transform(() => 'pending' as const))
