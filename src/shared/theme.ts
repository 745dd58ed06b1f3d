import { z } from 'zod'

/** `system` follows the desktop's own choice. */
export const themeSchema = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof themeSchema>
