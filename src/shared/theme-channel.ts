/** How the desktop window's page learns its theme when it is started, and asks for another. */
export const THEME_ARGUMENT = '--sotto-theme='
export const THEME_CHANNEL = 'sotto:theme'
