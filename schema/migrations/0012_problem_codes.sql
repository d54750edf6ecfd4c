UPDATE problems SET code = 'no-ffmpeg' WHERE code = 'unsupported' AND reason LIKE 'ffmpeg is not installed%';
