// porter stub headers: the identifier that driver and runtime share.
#pragma once

struct CUuuid_st { char bytes[16]; };
