export { getPatterns } from './get-patterns.ts'
export { getProfile } from './get-profile.ts'
