/**
 * By what a picture of the user's desktop is taken: by what gives programs pictures without a question, and where nothing does by the desktop portal, which may ask
 * the person (`auto`); by the portal only; or never by it.
 */
export const PICTURE_CONSENTS = ['auto', 'portal', 'direct'] as const;
export type PictureConsent = (typeof PICTURE_CONSENTS)[number];
