"""The language of what people read: English in the source, translated where it leaves the program."""

from icefire.words.speaking import LANGUAGES as LANGUAGES
from icefire.words.speaking import Language as Language
from icefire.words.speaking import accepted as accepted
from icefire.words.speaking import label as label
from icefire.words.speaking import language as language
from icefire.words.speaking import of_environment as of_environment
from icefire.words.speaking import speak as speak
from icefire.words.speaking import term as term
from icefire.words.speaking import translated as translated
