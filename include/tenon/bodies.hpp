// The bodies of the library's ordinary functions, for one unit of a program that links no compiled part.
#pragma once

