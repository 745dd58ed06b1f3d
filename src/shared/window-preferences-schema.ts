import { z } from 'zod'
import { densities, languageChoices } from './window-preferences.ts'

/** What the window's page asks to be kept for it. */
export const preferencesSchema = z.strictObject({ language: z.enum(languageChoices), density: z.enum(densities) })
